// mutex: hemlock::mutex, the one to choose unless you know why not. One word; an arriving thread may take the
// lock whenever it is free, so a running thread need not wait for a sleeping one; those who must wait form a
// queue, of which only the first competes; and whoever has waited for a millisecond has the lock handed over.
//
// Words
//   Word    locked | busy | call | the first waiter's record
//           locked   somebody holds the lock. Set by whoever finds it clear; cleared by the holder
//           busy     somebody is changing the ring of waiters. Set only while somebody waits, for a few
//                    instructions; with it set, nobody else changes `first`, `busy` or `call`
//           call     the first sleeps or demands: the holder must answer as it unlocks. Set by the first, or for
//                    it by the thread that made it first; only together with `locked`
//           first    null exactly if nobody waits. Changed with `busy`, except from null, by the new first
//   State   of a waiter's record: waiting, asleep, demands, demands_asleep: written by the waiter;
//           called: you are first, look at the lock; granting, granted: the lock is being, is yours.
//           (moved, leaving, released belong to the condition variable.) Written by others with `busy` set, but
//           granted by the granter alone
//
// Invariants
//   I1  At most one thread holds the lock: the one that set `locked`, or was granted by the one that had it.
//   I2  call implies locked.
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
//   enter        CAS that sets busy            acquire  sit, leave,   the ring's links, or what the first asks for, are
//                                                       settle, ask   not seen: a lost wake-up
//   leave        add that clears busy          release  enter         our changes to the ring are not seen
//   settle       store, busy cleared           release  enter, take   likewise
//   ask          CAS that sets call            release  enter         the holder does not see that we sleep
//   glance, turn, promote, call, doze, demand, give-way and every *-not   relaxed: a guess that an RMW confirms,
//                or a change of State that the Word carries
//
// Promises: an arriving thread may overtake all who wait; once the first has waited hand_over_after_nanoseconds
// (from its arrival) and runs, the next unlock hands it the lock, so it is overtaken at most once more. unlock
// wakes at most one thread, and only one that sleeps. A timed waiter leaves nothing behind. Any thread may
// unlock. I5 makes the lock safe to destroy by the next holder. Records are on the waiters' stacks: no
// thread-local storage, so no trouble with several shared objects.
#pragma once

#include <cstdint>

#include "../world/concept.hpp"
#include "../world/order.hpp"
#include "lock_facade.hpp"
#include "patience.hpp"
#include "waiter_ring.hpp"

namespace hemlock {

/// How long a thread waits before it demands to be handed the lock. docs/mutexes.md has the curve it lies on.
inline constexpr std::uint32_t hand_over_after_nanoseconds = 1'000'000;

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
  static constexpr word_type flags = locked | busy | call;

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
    if ((seen & call) != 0 || !word_.compare_exchange_strong(seen, seen & ~locked, order::release<"free">,
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

  template <class Limit>
  [[gnu::cold, gnu::noinline]] bool wait(const Limit& limit) noexcept {
    patience_in<World> patience(hand_over_after_nanoseconds);
    record self;
    spinner delay;
    word_type seen = word_.load(order::relaxed<"glance">);
    while (true) {
      if ((seen & locked) == 0) {
        if (word_.compare_exchange_strong(seen, seen | locked, order::acquire<"take">,
                                          order::relaxed<"take-not">))
          return true;
      } else if (first_of(seen) == nullptr) {
        self.sit_alone();
        if (word_.compare_exchange_strong(seen, seen | word_of(&self), order::release<"sit">,
                                          order::relaxed<"sit-not">))
          return compete(self, patience, limit);
      } else if (enter(seen, delay)) {
        self.sit_behind(*first_of(seen));
        word_.fetch_add(-busy, order::release<"leave">);
        return wait_turn(self, limit) ? compete(self, patience, limit) : leave(self);
      }
    }
  }

  /// Seats a thread that sleeps and wants the lock, on behalf of a condition. False if there is nobody to wait for.
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

  /// The adopted thread's part, once it is called.
  void compete_adopted(record& self) noexcept {
    patience_in<World> patience(hand_over_after_nanoseconds);
    compete(self, patience, no_limit{});
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

  /// True when we are first, false when the limit passed. Who is not first parks at once: it is not its turn.
  template <class Limit>
  bool wait_turn(record& self, const Limit& limit) noexcept {
    spinner delay;
    while (self.state.load(order::relaxed<"turn">) == waiter_state::waiting) {
      if constexpr (World::may_park) {
        if (std::uint32_t state = waiter_state::waiting; self.state.compare_exchange_strong(
                state, waiter_state::asleep, order::relaxed<"doze">, order::relaxed<"doze-not">))
          return sleep(self, waiter_state::asleep, limit);
      } else {
        if (limit_passed<World>(limit)) return false;
        delay.pause();
      }
    }
    return true;
  }

  /// True when `state` is not the record's any more, false when the limit passed.
  template <class Limit>
  static bool sleep(record& self, std::uint32_t state, const Limit& limit) noexcept {
    while (self.state.load(order::relaxed<"turn">) == state) {
      if (!park_within<World>(self.state, state, limit)) return false;
    }
    return true;
  }

  /// The first of the queue: looks, sleeps until called, looks again; demands the lock when out of patience.
  template <class Limit>
  bool compete(record& self, patience_in<World>& patience, const Limit& limit) noexcept {
    while (true) {
      spinner delay;
      if (try_as_first(self)) return true;
      if (patience.exhausted()) return demand(self, limit);
      while (back_off_or_park(delay)) {
        if (try_as_first(self)) return true;
        if constexpr (!World::may_park) {
          if (limit_passed<World>(limit)) return leave(self);
          if (patience.exhausted()) return demand(self, limit);
        }
      }
      self.state.store(waiter_state::asleep, order::relaxed<"doze">);
      if (!ask(self)) return true;
      if (!sleep(self, waiter_state::asleep, limit)) return leave(self);
    }
  }

  bool try_as_first(record& self) noexcept {
    word_type seen = word_.load(order::relaxed<"glance">);
    if ((seen & (locked | busy)) != 0 ||
        !word_.compare_exchange_strong(seen, seen | locked | busy, order::acquire<"take">,
                                       order::relaxed<"take-not">))
      return false;
    World::expect([&] { return first_of(seen) == &self && (seen & call) == 0; });  // I2
    settle(self.stand_up());
    return true;
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

  /// The first asks the holder for an answer. False if there is no holder to ask: the lock is ours instead.
  bool ask(record& self) noexcept {
    spinner delay;
    while (true) {
      if (try_as_first(self)) return false;
      word_type seen = word_.load(order::relaxed<"glance">);
      if ((seen & locked) != 0 && (seen & busy) == 0 &&  // I2, I3
          word_.compare_exchange_strong(seen, seen | call, order::release<"ask">, order::relaxed<"ask-not">))
        return true;
      if ((seen & busy) != 0) delay.pause();
    }
  }

  template <class Limit>
  bool demand(record& self, const Limit& limit) noexcept {
    self.state.store(waiter_state::demands, order::relaxed<"demand">);
    if (!ask(self)) return true;
    spinner delay;
    while (true) {
      std::uint32_t state = self.state.load(order::acquire<"receive">);
      if (state == waiter_state::granted) return true;
      bool out_of_time = false;
      if (state == waiter_state::granting) {
        delay.pause();
      } else if (state == waiter_state::demands) {
        if (!World::may_park && limit_passed<World>(limit))
          out_of_time = true;
        else if (!delay.pause_or_park())
          self.state.compare_exchange_strong(state, waiter_state::demands_asleep, order::relaxed<"doze">,
                                             order::relaxed<"doze-not">);
      } else {
        out_of_time = !park_within<World>(self.state, state, limit);
      }
      // Whoever withdraws the demand in time is not granted the lock any more, and may leave.
      if (out_of_time &&
          self.state.compare_exchange_strong(state, waiter_state::waiting, order::relaxed<"give-way">,
                                             order::relaxed<"give-way-not">))
        return leave(self);
    }
  }

  /// Out of the queue without the lock. Who leaves as the first calls the next, for a call may have been lost on us.
  bool leave(record& self) noexcept {
    spinner delay;
    word_type seen = word_.load(order::relaxed<"glance">);
    while (!enter(seen, delay)) {
    }
    if (first_of(seen) != &self) {
      self.stand_up();
      word_.fetch_add(-busy, order::release<"leave">);
      return false;
    }
    record* const next = self.stand_up();
    const std::uint32_t was = next == nullptr
                                  ? waiter_state::waiting
                                  : next->state.exchange(waiter_state::called, order::relaxed<"call">);
    word_.fetch_add(word_of(next) - word_of(&self) - busy - (seen & call), order::release<"leave">);
    if ((was & waiter_state::asleep) != 0) World::unpark_one(&next->state);  // only a name by now
    return false;
  }

  /// Unlocks while the first wants to hear of it, or while others changed the word under our hands.
  [[gnu::cold, gnu::noinline]] void answer(word_type seen) noexcept {
    spinner delay;
    do {
      if ((seen & call) == 0 && word_.compare_exchange_strong(seen, seen & ~locked, order::release<"free">,
                                                              order::relaxed<"free-not">))
        return;
    } while ((seen & call) == 0 || !enter(seen, delay));

    record* const first = first_of(seen);
    std::uint32_t state = first->state.load(order::relaxed<"turn">);
    while ((state & waiter_state::demands) != 0) {
      if (first->state.compare_exchange_strong(state, waiter_state::granting, order::relaxed<"call">,
                                               order::relaxed<"turn">)) {
        settle(first->stand_up());
        first->state.store(waiter_state::granted, order::release<"grant">);  // I1, I5
        if ((state & waiter_state::asleep) != 0) World::unpark_one(&first->state);
        return;
      }
    }
    state = first->state.exchange(waiter_state::called, order::relaxed<"call">);
    word_.store(word_of(first), order::release<"free">);  // I3, I5
    if ((state & waiter_state::asleep) != 0) World::unpark_one(&first->state);
  }

  typename World::template atomic<word_type> word_{0};
};

}  // namespace hemlock
