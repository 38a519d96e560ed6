// fifo: hemlock::fifo_mutex, strict first-come-first-served in one word, with parking. For those who need the
// order more than the throughput: when threads outnumber CPUs, each hand-over to a sleeping thread costs a
// context switch, which hemlock::mutex avoids by letting a running thread pass.
//
// Words
//   Word    locked | busy | the first waiter's record
//           locked   somebody holds the lock. Set by whoever finds the word 0; cleared by a holder behind whom
//                    nobody waits, else passed on
//           busy     somebody is changing the ring of waiters, for a few instructions; with it set, nobody else
//                    changes `first` or `busy`
//           first    null if nobody waits. Changed with `busy`, except from null, by the new first
//   State   of a waiter's record: waiting, asleep: written by the waiter; called: you are first, be awake;
//           granting, granted: the lock is being, is yours: written by the holder
//
// Invariants
//   I1  At most one thread holds the lock: the one that made the word `locked`, or was granted by the one that had it.
//   I2  Somebody waits only while the lock is held: nobody takes it past a waiter.
//   I3  The ring is in the order of `arrive`; only the first is granted.
//   I4  With busy set by the holder, nobody else changes the word: it may be stored to.
//   I5  After `depart` or `grant`, unlock touches neither the lock nor a record.
//
// Orders
//   label      operation                          order    partner          if it were weaker
//   arrive     CAS of 0 to locked                 acquire  depart           the last holder's section is not seen
//              CAS of null to our record          release  enter, arrive    our record is reached before it is made
//              CAS that sets busy, to join        acquire  leave, settle,   the ring's links are not seen
//                                                          arrive
//   enter      CAS that sets busy, to pass or go  acquire  leave, settle,   the ring's links are not seen
//                                                          arrive
//   leave      add that clears busy               release  enter, arrive    our changes to the ring are not seen
//   settle     store that clears busy             release  enter, arrive    likewise
//   depart     CAS of locked to 0                 release  arrive           our section is not seen
//   grant      store of granted                   release  receive          likewise; and our use of the record is not
//                                                                           over
//   receive    load of State                      acquire  grant            the last holder's section is not seen
//   glance     load of Word, of State             relaxed  -                a guess that an RMW confirms; our own State
//   return     add that clears busy               relaxed  -                who comes too late to go has changed nothing
//   doze       CAS of State to asleep             relaxed  -                `call` meets it, or the futex does
//   call       SWAP of State                      relaxed  -                `settle` and `grant` follow
//   arrive-not, enter-not, depart-not, doze-not
//              failures of these                  relaxed  -
//
// Promises: FIFO in the order of arrive. Lockout-free. A timed waiter keeps its place until its time is up, then
// leaves nothing behind. Any thread may unlock. I5 makes the lock safe to destroy by the next holder. unlock
// wakes the thread it grants the lock and the one behind it, so that the next hand-over finds it awake.
#pragma once

#include <cstdint>

#include "../world/concept.hpp"
#include "../world/order.hpp"
#include "lock_facade.hpp"
#include "patience.hpp"
#include "waiter_ring.hpp"

namespace hemlock {

template <class World>
class basic_fifo_mutex : public lock_facade<basic_fifo_mutex<World>, World> {
  using record = waiter<World>;
  using word_type = std::uintptr_t;
  using spinner = typename World::spinner;
  static constexpr word_type locked = 1;
  static constexpr word_type busy = 2;
  static constexpr word_type flags = locked | busy;

public:
  using per_waiter = record;
  static constexpr lock_traits traits{.name = "fifo",
                                      .summary = "hemlock::fifo_mutex: strict FIFO, spins then parks",
                                      .source = "docs/mutexes.md",
                                      .doorstep = "arrive",
                                      .fifo = true,
                                      .parks = true};

  constexpr basic_fifo_mutex() noexcept = default;

  [[gnu::always_inline]] void acquire() noexcept {
    if (!try_acquire()) [[unlikely]]
      wait(no_limit{});
  }

  [[nodiscard]] bool try_acquire() noexcept {
    word_type free = 0;
    return word_.compare_exchange_strong(free, locked, order::acquire<"arrive">,
                                         order::relaxed<"arrive-not">);
  }

  /// False when the limit passed first.
  template <class Limit>
  [[nodiscard]] bool try_acquire_until(const Limit& limit) noexcept {
    return try_acquire() || wait(limit);
  }

  [[gnu::always_inline]] void release() noexcept {
    word_type alone = locked;
    if (!word_.compare_exchange_strong(alone, 0, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]]
      pass_on(alone);
  }

private:
  static record* first_of(word_type word) noexcept { return reinterpret_cast<record*>(word & ~flags); }
  static word_type word_of(const record* first) noexcept { return reinterpret_cast<word_type>(first); }

  template <class Limit>
  [[gnu::cold, gnu::noinline]] bool wait(const Limit& limit) noexcept {
    record self;
    spinner delay;
    word_type seen = word_.load(order::relaxed<"glance">);
    while (true) {
      search_again(delay, reinterpret_cast<void*>(seen), 1);
      if (seen == 0) {
        if (word_.compare_exchange_strong(seen, locked, order::acquire<"arrive">,
                                          order::relaxed<"arrive-not">))
          return true;
      } else if ((seen & busy) != 0) {
        delay.pause();
        seen = word_.load(order::relaxed<"glance">);
      } else if (first_of(seen) == nullptr) {
        self.sit_alone();
        if (word_.compare_exchange_strong(seen, seen | word_of(&self), order::release<"arrive">,
                                          order::relaxed<"arrive-not">))
          return receive(self, waiter_state::called, limit);
      } else if (word_.compare_exchange_strong(seen, seen | busy, order::acquire<"arrive">,
                                               order::relaxed<"arrive-not">)) {
        self.sit_behind(*first_of(seen));  // I3
        word_.fetch_add(-busy, order::release<"leave">);
        return receive(self, waiter_state::waiting, limit);
      }
    }
  }

  /// Waits for the lock. `place` is called if we are first; who is not parks at once, for it is not its turn.
  template <class Limit>
  bool receive(record& self, std::uint32_t place, const Limit& limit) noexcept {
    spinner delay;
    while (true) {
      search_again(delay, &self, 2 + place);
      std::uint32_t state = self.state.load(order::acquire<"receive">);
      if (state == waiter_state::granted) return true;
      if (state == waiter_state::granting) {
        delay.pause();
      } else if (state == waiter_state::asleep) {
        if (!park_within<World>(self.state, state, limit) && leave(self)) return false;
      } else if (!World::may_park && limit_passed<World>(limit)) {
        if (leave(self)) return false;
      } else if ((World::may_park && (place | state) != waiter_state::called) || !delay.pause_or_park()) {
        self.state.compare_exchange_strong(state, waiter_state::asleep, order::relaxed<"doze">,
                                           order::relaxed<"doze-not">);
      }
    }
  }

  /// Out of the queue; false if the holder was faster, and the lock is ours in a moment.
  bool leave(record& self) noexcept {
    spinner delay;
    word_type seen = word_.load(order::relaxed<"glance">);
    while ((seen & busy) != 0 || !word_.compare_exchange_strong(seen, seen | busy, order::acquire<"enter">,
                                                                order::relaxed<"enter-not">)) {
      if ((seen & busy) == 0) continue;
      delay.pause();
      seen = word_.load(order::relaxed<"glance">);
    }
    const std::uint32_t state = self.state.load(order::relaxed<"glance">);
    if (state == waiter_state::granting || state == waiter_state::granted) {
      word_.fetch_add(-busy, order::relaxed<"return">);
      return false;
    }
    record* const behind = self.stand_up();
    const word_type before = first_of(seen) == &self ? word_of(&self) - word_of(behind) : 0;
    word_.fetch_add(-busy - before, order::release<"leave">);
    return true;
  }

  [[gnu::cold, gnu::noinline]] void pass_on(word_type seen) noexcept {
    spinner delay;
    while (true) {
      if (seen == locked) {  // a timed waiter was here, and left
        if (word_.compare_exchange_strong(seen, 0, order::release<"depart">, order::relaxed<"depart-not">))
          return;
      } else if ((seen & busy) != 0) {
        delay.pause();
        seen = word_.load(order::relaxed<"glance">);
      } else if (word_.compare_exchange_strong(seen, seen | busy, order::acquire<"enter">,
                                               order::relaxed<"enter-not">)) {
        break;
      }
    }
    record* const first = first_of(seen);
    record* const next = first->stand_up();
    const std::uint32_t was = first->state.exchange(waiter_state::granting, order::relaxed<"call">);
    const std::uint32_t next_was = next == nullptr
                                       ? waiter_state::called
                                       : next->state.exchange(waiter_state::called, order::relaxed<"call">);
    word_.store(word_of(next) | locked, order::release<"settle">);       // I4
    first->state.store(waiter_state::granted, order::release<"grant">);  // I1, I5
    if (was == waiter_state::asleep) World::unpark_one(&first->state);
    if (next_was == waiter_state::asleep) World::unpark_one(&next->state);
  }

  typename World::template atomic<word_type> word_{0};
};

}  // namespace hemlock
