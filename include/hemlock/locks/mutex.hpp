// mutex: hemlock::mutex, the one to choose unless you know why not. One word; an arriving thread may take the
// lock whenever it is free, so a running thread need not wait for a sleeping one; those who must wait form a
// queue, of which only the first competes; and a first that has been overtaken for long has the lock handed over.
//
// Words
//   Word    locked | busy | call | ticks | the first waiter's record
//           locked   somebody holds the lock. Set by whoever finds it clear; cleared by the holder
//           busy     somebody is changing the ring of waiters. Set only while somebody waits, for a few
//                    instructions; with it set, nobody else changes anything but `locked`
//           call     the first sleeps: the holder must answer as it unlocks. Set by the first, or for it by the
//                    thread that made it first; only together with `locked`
//           ticks    unlocks since somebody looked at the first's patience: a clock is too dear for every one
//           first    null exactly if nobody waits. Changed with `busy`, except from null, by the new first
//   State   of a waiter's record: waiting: awake, not first; looking: awake, first; asleep: written by the waiter;
//           called: you are first, look at the lock; granting, granted: the lock is being, is yours.
//           (The others belong to the condition variable.) Written by others with `busy` set, but
//           granted by the granter alone
//   Patience, in the record: how long this thread has been first. Used by who has `busy`.
//
// Invariants
//   I1  At most one thread holds the lock: the one that set `locked`, or was granted by the one that had it.
//   I2  call implies locked. Without a first, call and ticks are clear: a free lock is zero.
//   I3  With locked and busy set by one thread, nobody else changes the word: it may be stored to.
//   I4  The first of the queue is awake, or `call` is set, or a wake-up for it is on its way.
//   I5  After clearing `locked` or granting, unlock touches neither the lock nor a record.
//
// Orders
//   label        operation                     order    partner       if it were weaker
//   take         RMW that sets locked          acquire  free          the last holder's section is not seen
//   free         CAS or store, locked cleared  release  take          our section is not seen by the next holder
//   grant        store of granted              release  receive       as `free`; and our use of the record is not over
//   receive      load of State                 acquire  grant         as `take`
//   sit          CAS of null to our record     release  enter         our record is reached before it is made
//   enter        CAS that sets busy            acquire  sit, leave,   the ring's links are not seen
//                                                       settle
//   leave        add that clears busy          release  enter         our changes to the ring are not seen
//   settle       store, busy cleared           release  enter, take   likewise
//   ask          CAS that sets call            relaxed  -             `doze` is an RMW, so the SWAP of `call` meets it
//   glance       load of Word                  relaxed  -             a guess that an RMW confirms
//   turn         load of State                 relaxed  -             the Word orders what follows
//   place        store of State                relaxed  -             `sit` or `leave` publishes it
//   look         CAS of called to looking      relaxed  -             a change of State alone
//   promote      CAS of waiting to called      relaxed  -             `settle` follows, and orders
//   call         SWAP of State                 relaxed  -             `free`, `leave` or `grant` follows
//   doze         CAS of State to asleep        relaxed  -             `call` or `promote` meets it
//   return       add that clears busy          relaxed  -             who comes too late to leave has changed nothing
//   take-not, free-not, sit-not, enter-not, ask-not, promote-not, doze-not, look-not
//                failures of these             relaxed  -
//
// Promises: an arriving thread may overtake all who wait. Who has been first for hand_over.impatient_after and runs
// is handed the lock; if it does not run, unlock offers its CPU; who has been first for hand_over.exhausted_after is
// handed the lock in any case. Each takes effect within so many unlocks as fit into `ticks`. unlock wakes at most one
// thread, and only one that sleeps. A timed waiter leaves nothing behind. Any thread may unlock. I5 makes the lock
// safe to destroy by the next holder. Records are on the waiters' stacks: no thread-local storage, so no trouble
// with several shared objects.
#pragma once

#include <cstdint>

#include "../world/concept.hpp"
#include "../world/order.hpp"
#include "lock_facade.hpp"
#include "patience.hpp"
#include "waiter_ring.hpp"

namespace hemlock {

/// When the first in the queue is handed the lock. docs/mutexes.md has the curve these lie on.
inline constexpr patience_limits hand_over{
    .impatient_after = 100'000, .impatient_again_after = 50'000, .exhausted_after = 300'000};

template <class World>
class basic_condition;

template <class World>
class basic_mutex : public lock_facade<basic_mutex<World>, World> {
  using record = waiter<World>;
  using word_type = std::uintptr_t;
  using spinner = typename World::spinner;
  static constexpr word_type locked = 1;
  static constexpr word_type busy = 2;
  static constexpr word_type call = 4;
  static constexpr word_type tick = 8;
  static constexpr word_type ticks = tick * (patience_in<World>::unlocks_per_look - 1);
  static constexpr word_type flags = alignof(record) - 1;
  static_assert((locked | busy | call | ticks) <= flags);
  static constexpr patience_limits limits = [] {
    if constexpr (requires { World::hand_over; })  // to measure others beside it
      return World::hand_over;
    else
      return hand_over;
  }();

public:
  using per_waiter = record;
  static constexpr lock_traits traits{.name = "mutex",
                                      .summary = "hemlock::mutex: barging with a bound, spins then parks",
                                      .source = "docs/mutexes.md",
                                      .parks = true};

  constexpr basic_mutex() noexcept = default;

  [[gnu::always_inline]] void acquire() noexcept {
    if (!take_if_free()) [[unlikely]]
      wait(no_limit{});
  }

  [[nodiscard]] bool try_acquire() noexcept {
    return (word_.load(order::relaxed<"glance">) & locked) == 0 && take_if_free();
  }

  /// False when the limit passed first.
  template <class Limit>
  [[nodiscard]] bool try_acquire_until(const Limit& limit) noexcept {
    return take_if_free() || wait(limit);
  }

  [[gnu::always_inline]] void release() noexcept {
    word_type seen = word_.load(order::relaxed<"glance">);
    if (seen != locked || !word_.compare_exchange_strong(seen, 0, order::release<"free">,
                                                         order::relaxed<"free-not">)) [[unlikely]]
      answer(seen);
  }

private:
  friend class basic_condition<World>;

  static record* first_of(word_type word) noexcept { return reinterpret_cast<record*>(word & ~flags); }
  static word_type word_of(const record* first) noexcept { return reinterpret_cast<word_type>(first); }

  /// Sets `locked`, whoever waits: one instruction that cannot fail for another's doing, where there is one.
  [[gnu::always_inline]] bool take_if_free() noexcept {
    if constexpr (requires { word_.fetch_or(locked, order::acquire<"take">); }) {
      return (word_.fetch_or(locked, order::acquire<"take">) & locked) == 0;
    } else {
      word_type seen = word_.load(order::relaxed<"glance">);
      while ((seen & locked) == 0) {
        if (word_.compare_exchange_strong(seen, seen | locked, order::acquire<"take">,
                                          order::relaxed<"take-not">))
          return true;
      }
      return false;
    }
  }

  /// As above, after a look.
  bool take_if_free(word_type& seen) noexcept {
    while ((seen & locked) == 0) {
      if (word_.compare_exchange_strong(seen, seen | locked, order::acquire<"take">,
                                        order::relaxed<"take-not">))
        return true;
    }
    return false;
  }

  template <class Limit>
  [[gnu::cold, gnu::noinline]] bool wait(const Limit& limit) noexcept {
    word_type seen = word_.load(order::relaxed<"glance">);
    if (outlast(seen)) return true;
    record self;
    spinner delay;
    while (!take_if_free(seen)) {
      search_again(delay, reinterpret_cast<void*>(seen), 1);
      if (first_of(seen) == nullptr) {
        self.state.store(waiter_state::called, order::relaxed<"place">);
        self.sit_alone();
        if (word_.compare_exchange_strong(seen, seen | word_of(&self), order::release<"sit">,
                                          order::relaxed<"sit-not">))
          return await(self, limit);
      } else if (enter(seen, delay)) {
        self.state.store(waiter_state::waiting, order::relaxed<"place">);
        self.sit_behind(*first_of(seen));
        word_.fetch_add(-busy, order::release<"leave">);
        return await(self, limit);
      }
    }
    return true;
  }

  /// A holder that runs is gone in no time: who sat down for it would sleep, and leave a CPU idle. Not where nobody
  /// sleeps: there, this would be waiting without a queue.
  bool outlast(word_type& seen) noexcept {
    if constexpr (World::may_park) {
      spinner delay;
      while (!take_if_free(seen)) {
        if (!back_off_or_park(delay)) return false;
        seen = word_.load(order::relaxed<"glance">);
      }
      return true;
    }
    return false;
  }

  /// Seats a thread that wants the lock, on behalf of a condition. False if there is nobody to wait for.
  bool adopt(record& sleeper) noexcept {
    spinner delay;
    word_type seen = word_.load(order::relaxed<"glance">);
    while ((seen & locked) != 0) {
      if (first_of(seen) == nullptr) {
        sleeper.sit_alone();
        if (word_.compare_exchange_strong(seen, seen | word_of(&sleeper) | call, order::release<"sit">,  // I4
                                          order::relaxed<"sit-not">))
          return true;
      } else if (enter(seen, delay)) {
        sleeper.sit_behind(*first_of(seen));
        word_.fetch_add(-busy, order::release<"leave">);
        return true;
      }
    }
    return false;
  }

  /// Tries to get the ring, else waits a little and looks again. `seen` is what the word was, without `busy`.
  bool enter(word_type& seen, spinner& delay) noexcept {
    if ((seen & busy) == 0 && word_.compare_exchange_strong(seen, seen | busy, order::acquire<"enter">,
                                                            order::relaxed<"enter-not">))
      return true;
    if ((seen & busy) != 0) {
      delay.pause();
      seen = word_.load(order::relaxed<"glance">);
    }
    return false;
  }

  /// The part of one who sits in the queue: true when the lock is its own, false when the limit passed. Who is not
  /// first parks at once: it is not its turn.
  template <class Limit>
  bool await(record& self, const Limit& limit) noexcept {
    spinner delay;
    while (true) {
      search_again(delay, &self, 2);
      std::uint32_t state = self.state.load(order::acquire<"receive">);
      if (state == waiter_state::granted) return true;
      if (!World::may_park && limit_passed<World>(limit) && leave(self)) return false;
      if (state == waiter_state::granting || (state == waiter_state::waiting && !World::may_park)) {
        delay.pause();
      } else if ((state & waiter_state::asleep) != 0) {
        if (!park_within<World>(self.state, state, limit) && leave(self)) return false;
      } else if (state == waiter_state::waiting) {
        self.state.compare_exchange_strong(state, waiter_state::asleep, order::relaxed<"doze">,
                                           order::relaxed<"doze-not">);
      } else if (compete(self, state, delay)) {
        return true;
      }
    }
  }

  /// The first's part: looks for a while, then arranges to be called. True if the lock was free meanwhile.
  bool compete(record& self, std::uint32_t state, [[maybe_unused]] spinner& outer) noexcept {
    if (state == waiter_state::called &&
        !self.state.compare_exchange_strong(state, waiter_state::looking, order::relaxed<"look">,
                                            order::relaxed<"look-not">))
      return false;
    if constexpr (World::may_park) {
      spinner delay;
      do {
        if (try_as_first(self)) return true;
        if (self.state.load(order::relaxed<"turn">) != waiter_state::looking) return false;
      } while (back_off_or_park(delay));
      state = waiter_state::looking;
      return self.state.compare_exchange_strong(state, waiter_state::asleep, order::relaxed<"doze">,
                                                order::relaxed<"doze-not">) &&
             !ask(self);
    } else {
      if (try_as_first(self)) return true;
      back_off_or_park(outer);
      return false;
    }
  }

  bool try_as_first(record& self) noexcept {
    word_type seen = word_.load(order::relaxed<"glance">);
    return try_as_first(self, seen);
  }
  bool try_as_first(record& self, word_type& seen) noexcept {
    while ((seen & (locked | busy)) == 0) {
      if (word_.compare_exchange_strong(seen, seen | locked | busy, order::acquire<"take">,
                                        order::relaxed<"take-not">)) {
        World::expect([&] { return first_of(seen) == &self && (seen & call) == 0; });  // I2
        settle(self.stand_up());
        return true;
      }
    }
    return false;
  }

  /// Publishes who is first now. We hold the lock and the ring.
  void settle(record* first) noexcept {
    word_type fresh = word_of(first) | locked;
    if (std::uint32_t state = waiter_state::waiting;
        first != nullptr &&
        !first->state.compare_exchange_strong(state, waiter_state::called, order::relaxed<"promote">,
                                              order::relaxed<"promote-not">))
      fresh |= call;  // I4: it sleeps, and need not be woken before the lock is free
    word_.store(fresh, order::release<"settle">);  // I3
  }

  /// The first asks the holder to call it. False if there is no holder to ask: the lock is ours instead.
  bool ask(record& self) noexcept {
    spinner delay;
    while (self.state.load(order::relaxed<"turn">) == waiter_state::asleep) {
      word_type seen = word_.load(order::relaxed<"glance">);
      if (try_as_first(self, seen)) return false;
      const bool settled =
          first_of(seen) == &self && (seen & busy) == 0;  // else this is an old look, or not the time
      if (settled && word_.compare_exchange_strong(seen, seen | call, order::relaxed<"ask">,  // I2, I3
                                                   order::relaxed<"ask-not">))
        return true;
      if (!settled) delay.pause();
    }
    return true;  // we are being granted the lock
  }

  /// Out of the queue without the lock; false if it is being granted, and ours in a moment. Who leaves as the first
  /// calls the next, for a call may have been lost on us.
  bool leave(record& self) noexcept {
    spinner delay;
    word_type seen = word_.load(order::relaxed<"glance">);
    while (!enter(seen, delay)) {
    }
    const std::uint32_t state = self.state.load(order::relaxed<"turn">);
    if (state == waiter_state::granting || state == waiter_state::granted) {
      word_.fetch_add(-busy, order::relaxed<"return">);
      return false;
    }
    record* const next = self.stand_up();
    if (first_of(seen) != &self) {
      word_.fetch_add(-busy, order::release<"leave">);
      return true;
    }
    const std::uint32_t was = next == nullptr
                                  ? waiter_state::waiting
                                  : next->state.exchange(waiter_state::called, order::relaxed<"call">);
    word_.fetch_add(word_of(next) - word_of(&self) - (seen & (call | ticks)) - busy,
                    order::release<"leave">);                                // I2
    if ((was & waiter_state::asleep) != 0) World::unpark_one(&next->state);  // only a name by now
    return true;
  }

  /// Unlocks while somebody waits.
  [[gnu::cold, gnu::noinline]] void answer(word_type seen) noexcept {
    spinner delay;
    do {
      // Not the ring for nothing: nobody sleeps, and it is not yet time to look at the first's patience.
      while ((seen & call) == 0 &&
             ((seen & ticks) != ticks || (seen & busy) != 0 || first_of(seen) == nullptr)) {
        const word_type ticked = first_of(seen) == nullptr || (seen & busy) != 0 ? 0 : tick;
        if (word_.compare_exchange_strong(seen, (seen & ~locked) + ticked, order::release<"free">,
                                          order::relaxed<"free-not">))
          return;
      }
    } while (!enter(seen, delay));

    record* const first = first_of(seen);
    const mood patience = first->patience.look(limits);
    std::uint32_t state = first->state.load(order::relaxed<"turn">);
    if (patience == mood::exhausted || (patience == mood::impatient && state == waiter_state::looking)) {
      state = first->state.exchange(waiter_state::granting, order::relaxed<"call">);
      settle(first->stand_up());
      first->state.store(waiter_state::granted, order::release<"grant">);  // I1, I5
      if ((state & waiter_state::asleep) != 0) World::unpark_one(&first->state);
      return;
    }
    if ((seen & call) != 0)
      state = first->state.exchange(waiter_state::called, order::relaxed<"call">);
    else
      state = waiter_state::
          waiting;  // if it is asleep by now, it has not asked yet, and will look before it does
    word_.store(word_of(first), order::release<"free">);  // I3, I5
    if ((state & waiter_state::asleep) != 0) World::unpark_one(&first->state);
    if (patience == mood::impatient)
      give_way<World>();  // it is awake and not running: perhaps for want of our CPU
  }

  typename World::template atomic<word_type> word_{0};
};

}  // namespace hemlock
