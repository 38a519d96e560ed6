// The condition behind hemlock::condition_variable: one word, a ring of waiting threads. A thread lingers for some
// microseconds before it sleeps, so that an answer that comes at once costs no system call. notify_one wakes one
// thread, which then locks for itself. notify_all moves all to the mutex's queue, where each sleeps on until its turn:
// no thread wakes only to wait again.
//
// Words
//   Word    busy | the first waiter's record: as in mutex.hpp. Changed with `busy`, except from 0 by the new first
//   State   of a waiter's record
//           lingering  in our ring, awake. Written by its thread before it sits down
//           asleep     in our ring, asleep or about to be. Written by its thread, from lingering
//           leaving    in our ring, but its limit has passed or it was told to stop: not to be notified any more.
//                      Written by its thread, from lingering or asleep
//           notified, moved    chosen by a notifier, who wrote it, from lingering or from asleep: out of our ring, on
//                      the way to what follows
//           released   to lock for itself. Written by the notifier, last
//           waiting, called, granting, granted    in, or out of, the mutex's queue: see mutex.hpp
//
// Invariants
//   I1  A waiter is either notified or leaves, never both: the two change State from lingering or asleep, by CAS.
//   I2  A thread is in the ring before it unlocks: who notifies after changing what it waits for, finds it.
//   I3  After it has moved a sleeper, a notifier touches the condition no more: all notified, it may be destroyed.
//
// Orders
//   label      operation                     order    partner         if it were weaker
//   sit        CAS of 0 to our record        acq_rel  enter, rouse    the record is reached before it is made; a stop
//                                                                     is missed
//   enter      CAS that sets busy            acquire  sit, leave,     the ring's links are not seen; a stop is missed
//                                                     settle, rouse
//   leave      add that clears busy          release  enter           our changes to the ring are not seen
//   settle     store that clears busy        release  enter           likewise
//   rouse      add of 0                      release  sit, enter      a stop asked for before is missed by one who sits
//                                                                     down after
//   release    SWAP of State to released     release  woken           our use of the record is not over
//   woken      load of State                 acquire  release         as `release`; and the next in the chain is not seen
//   glance     load of Word, of State        relaxed  -               a guess that an RMW confirms
//   place      store of State                relaxed  -               `sit` or `leave`, here or in the mutex, publishes it
//   doze       CAS of lingering to asleep    relaxed  -               I1's CAS meets it, or the futex does
//   notify     CAS of State                  relaxed  -               I1's, which orders nothing
//   give-up    CAS of State to leaving       relaxed  -               likewise
//   sit-not, enter-not, doze-not, notify-not, give-up-not
//              failures of these             relaxed  -
//
// Promises: threads are notified in the order in which they began to wait. A wait ends only by a notification,
// its limit or a stop, never for no reason. notify_all wakes one thread, and each the next as it leaves.
#pragma once

#include <cstdint>

#include "mutex.hpp"
#include "patience.hpp"
#include "waiter_ring.hpp"

namespace hemlock {

template <class World>
class basic_condition {
  using record = waiter<World>;
  using mutex_type = basic_mutex<World>;
  using word_type = std::uintptr_t;
  using spinner = typename World::spinner;
  static constexpr word_type busy = 2;

  struct sleeper : record {
    explicit sleeper(mutex_type* queue) noexcept : home(queue) {}
    typename World::template plain<mutex_type*> home;  ///< whose queue to move to; null: none
    typename World::template plain<sleeper*> next_to_wake{
        nullptr};  ///< the chain of a notify_all, with no home
  };

public:
  using per_waiter = sleeper;

  constexpr basic_condition() noexcept = default;
  basic_condition(const basic_condition&) = delete;
  basic_condition& operator=(const basic_condition&) = delete;

  /// Unlocks, sleeps, locks again. False when the limit passed, or `stopped` was true, before a notification.
  template <class Limit, class Stopped>
  bool wait(mutex_type& home, const Limit& limit, const Stopped& stopped) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    sleeper self(&home);
    sit_down(self);
    home.unlock();  // I2
    const bool notified = sleep(self, limit, stopped);
    World::checks::locking(&home, mutex_type::traits.name);
    tsan::pre_lock(&home);
    if (notified && self.state.load(order::relaxed<"glance">) != waiter_state::released)
      home.await(self, no_limit{});
    else
      home.acquire();
    tsan::post_lock(&home);
    World::checks::locked(&home, mutex_type::traits.name);
    return notified;
  }

  /// As above, for any lock.
  template <class Lock, class Limit, class Stopped>
  bool wait_any(Lock& lock, const Limit& limit, const Stopped& stopped) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    sleeper self(nullptr);
    sit_down(self);
    lock.unlock();  // I2
    const bool notified = sleep(self, limit, stopped);
    if (notified) wake_next(self);
    lock.lock();
    return notified;
  }

  void notify_one() noexcept {
    const unwatched here(this);
    if (word_type seen = word_.load(order::relaxed<"glance">); seen != 0 && enter(seen))
      notify_first(first_of(seen));
  }

  void notify_all() noexcept {
    const unwatched here(this);
    if (word_type seen = word_.load(order::relaxed<"glance">); seen != 0 && enter(seen))
      notify_ring(first_of(seen));
  }

  /// notify_all, for one who has just made `stopped` true without holding the lock: nobody who sat down before
  /// it is missed, and whoever sits down after sees that it is to stop.
  void rouse_all() noexcept {
    const unwatched here(this);
    if (word_type seen = word_.fetch_add(0, order::release<"rouse">); seen != 0 && enter(seen))
      notify_ring(first_of(seen));
  }

private:
  /// ThreadSanitizer looks away from what a mutex does to its ring, so it must from what we do there, too.
  struct unwatched {
    explicit unwatched(const void* condition) noexcept : watched(condition) { tsan::pre_signal(watched); }
    ~unwatched() { tsan::post_signal(watched); }
    unwatched(const unwatched&) = delete;
    unwatched& operator=(const unwatched&) = delete;
    const void* watched;
  };

  static record* first_of(word_type word) noexcept { return reinterpret_cast<record*>(word & ~busy); }
  static word_type word_of(const record* first) noexcept { return reinterpret_cast<word_type>(first); }

  void sit_down(sleeper& self) noexcept {
    const unwatched here(this);
    self.state.store(waiter_state::lingering, order::relaxed<"place">);
    self.sit_alone();
    word_type seen = 0;
    while (!word_.compare_exchange_strong(seen, word_of(&self), order::acq_rel<"sit">,
                                          order::relaxed<"sit-not">)) {
      if (!enter(seen)) continue;
      self.sit_behind(*first_of(seen));
      word_.fetch_add(-busy, order::release<"leave">);
      return;
    }
  }

  /// Gets the ring; false if it is empty, and `seen` is 0.
  bool enter(word_type& seen) noexcept {
    spinner delay;
    while (seen != 0) {
      if ((seen & busy) != 0) {
        delay.pause();
        seen = word_.load(order::relaxed<"glance">);
      } else if (word_.compare_exchange_strong(seen, seen | busy, order::acquire<"enter">,
                                               order::relaxed<"enter-not">)) {
        return true;
      }
    }
    return false;
  }

  template <class Limit, class Stopped>
  bool sleep(sleeper& self, const Limit& limit, const Stopped& stopped) noexcept {
    const unwatched here(this);
    spinner delay;
    bool give_up = stopped();
    while (true) {
      std::uint32_t state = self.state.load(order::acquire<"woken">);
      switch (state) {
        case waiter_state::lingering:
        case waiter_state::asleep:
          if (give_up) {
            if (!self.state.compare_exchange_strong(state, waiter_state::leaving, order::relaxed<"give-up">,
                                                    order::relaxed<"give-up-not">))
              break;
            stand_up(self);
            return false;
          }
          if constexpr (!World::may_park) {
            delay.pause();
            give_up = limit_passed<World>(limit);
          } else if (state == waiter_state::asleep) {
            give_up = !park_within<World>(self.state, state, limit);
          } else if (!delay.pause_or_park()) {
            self.state.compare_exchange_strong(state, waiter_state::asleep, order::relaxed<"doze">,
                                               order::relaxed<"doze-not">);
          }
          break;
        case waiter_state::notified:
          delay.pause();
          break;
        case waiter_state::moved:
          World::park(self.state, state);
          break;
        default:
          return true;
      }
    }
  }

  void stand_up(sleeper& self) noexcept {
    word_type seen = word_.load(order::relaxed<"glance">);
    enter(seen);  // cannot fail: we are in the ring
    record* const behind = self.stand_up();
    word_.store(word_of(first_of(seen) == &self ? behind : first_of(seen)), order::release<"settle">);
  }

  /// I1: whether this one is notified, by us.
  static bool notified(record& one) noexcept {
    std::uint32_t state = one.state.load(order::relaxed<"glance">);
    while ((state & (waiter_state::lingering | waiter_state::asleep)) != 0) {
      if (one.state.compare_exchange_strong(state, waiter_state::notified | (state & waiter_state::asleep),
                                            order::relaxed<"notify">, order::relaxed<"notify-not">))
        return true;
    }
    return false;
  }

  static void release(sleeper& one) noexcept {
    const std::uint32_t was = one.state.exchange(waiter_state::released, order::release<"release">);
    if ((was & waiter_state::asleep) != 0) World::unpark_one(&one.state);  // only a name by now
  }

  void wake_next(sleeper& self) noexcept {
    const unwatched here(this);
    if (sleeper* const next = self.next_to_wake; next != nullptr) release(*next);
  }

  /// Notifies the first in the ring, which we have entered, who is not leaving.
  void notify_first(record* first) noexcept {
    record* chosen = first;
    while (!notified(*chosen)) {
      chosen = chosen->next;
      if (chosen == first) {
        word_.fetch_add(-busy, order::release<"leave">);
        return;
      }
    }
    record* const behind = chosen->stand_up();
    word_.store(word_of(chosen == first ? behind : first), order::release<"settle">);  // I3
    release(static_cast<sleeper&>(*chosen));
  }

  /// Notifies all in the ring, which we have entered, but those who are leaving.
  void notify_ring(record* first) noexcept {
    sleeper* chain = nullptr;
    sleeper* last = nullptr;
    record* staying = nullptr;  // the first of those who are leaving, if any
    record* const end = first->previous;
    for (record *one = first, *next = nullptr;; one = next) {
      next = one->next;
      const bool at_end = one == end;
      if (notified(*one)) {
        one->stand_up();
        auto* const link = static_cast<sleeper*>(one);
        if (chain == nullptr)
          chain = link;
        else
          last->next_to_wake = link;
        last = link;
      } else if (staying == nullptr) {
        staying = one;
      }
      if (at_end) break;
    }
    word_.store(word_of(staying), order::release<"settle">);  // I3
    if (chain == nullptr) return;
    if (chain->home == nullptr)
      release(*chain);
    else
      move_home(chain);
  }

  /// To the mutex's queue, all of them. If nobody holds the mutex we do meanwhile: else each would have to be woken.
  static void move_home(sleeper* one) noexcept {
    mutex_type& home = *one->home;
    bool ours = home.try_acquire();
    for (sleeper* next = nullptr; one != nullptr; one = next) {
      next = one->next_to_wake;
      if (one->state.load(order::relaxed<"glance">) == waiter_state::notified)  // awake
        one->state.store(waiter_state::waiting, order::relaxed<"place">);
      while (!home.adopt(*one)) ours = ours || home.try_acquire();
    }
    if (ours) home.release();
  }

  typename World::template atomic<word_type> word_{0};
};

}  // namespace hemlock
