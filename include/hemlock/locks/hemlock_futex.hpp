// hemlock-futex: Hemlock that looks at its predecessor's Grant for a short while, then sleeps on it with a futex.
// Choose it where threads may outnumber CPUs and strict FIFO is wanted. Waiting Strategies (WaitOnAddress).
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a record        its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  0               the mailbox is empty
//          L               this record's thread passes L on
//          v|1             as v (0 or a lock), and somebody sleeps, or is about to, until the word changes
//          any to L by its own thread in unlock (SWAP), L or L|1 to 0 by the successor (SWAP), v to v|1 by whoever wants to
//          sleep (CAS). Every other change removes the 1, and whoever removes it wakes all sleepers
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  A thread waits for L in the Grant of the thread that arrived at L just before it; no other waits for L there.
//   I3  Outside of unlock, a thread's own Grant names no lock.
//   I4  Who sleeps has seen a value with the 1, and that value is not what it waits for: no wake-up is lost. The futex
//       compares only the word's low half: a thread that cannot tell by that half does not sleep.
//
// Orders
//   label       operation                  order    partner  if it were weaker
//   arrive      SWAP of Tail               acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                                   arrive   the successor reaches a record that is not yet made
//   arrive-not  CAS of Tail, failure       relaxed  -
//   look        load of pred's Grant       acquire  pass     the predecessor's section is not seen
//   sleep       CAS of Grant, v to v|1     relaxed  -        only says that a wake-up is wanted
//   take        SWAP of Grant              release  drained  the record's thread may end while we still write it
//   depart      CAS of Tail, success       release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure       relaxed  -
//   pass        SWAP of Grant              release  look     our section is not seen by the successor
//   drained     load of own Grant          acquire  take     as `take`
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock waits for the successor to answer. unlock never
// touches the lock after depart or pass, so the next holder may destroy it. Waiting is local unless a thread
// holds several contended locks: then one waiter per such lock looks at the same Grant, and all are woken.
#pragma once

#include <cstdint>

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_futex : public lock_facade<hemlock_futex<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct thread {
    atomic<std::uintptr_t> grant{0};
  };

public:
  using per_thread = padded<thread>;
  static constexpr lock_traits traits{.name = "hemlock-futex",
                                      .summary = "sleeps on the predecessor's Grant after a short spin",
                                      .source = "Appendix: Waiting Strategies",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true,
                                      .parks = true};

  constexpr hemlock_futex() noexcept = default;

  void acquire() noexcept {
    per_thread* const pred = tail_.exchange(&World::template self<per_thread>(), order::acq_rel<"arrive">);
    if (pred != nullptr) [[unlikely]]
      wait_behind(*pred);
  }

  [[nodiscard]] bool try_acquire() noexcept {
    per_thread* nobody = nullptr;
    return tail_.compare_exchange_strong(nobody, &World::template self<per_thread>(),
                                         order::acq_rel<"arrive">, order::relaxed<"arrive-not">);
  }

  void release() noexcept {
    per_thread& self = World::template self<per_thread>();
    World::expect([&] { return (self.grant.load(order::look) & ~asleep) == 0; });  // I3
    per_thread* last = &self;
    // Strong: a spurious failure would look like a successor, who then never answers.
    if (!tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(self);
    }
  }

private:
  static constexpr std::uintptr_t asleep = 1;

  std::uintptr_t name() const noexcept { return reinterpret_cast<std::uintptr_t>(this); }

  /// Sleeps until the word is not `seen` any more, if the low half can tell `seen` from `awaited` (I4).
  static void sleep(atomic<std::uintptr_t>& word, std::uintptr_t seen, std::uintptr_t awaited,
                    typename World::spinner& wait) noexcept {
    if (static_cast<std::uint32_t>(seen | asleep) == static_cast<std::uint32_t>(awaited | asleep))
      return wait.pause();
    if ((seen & asleep) != 0 ||
        word.compare_exchange_strong(seen, seen | asleep, order::relaxed<"sleep">, order::relaxed<"sleep">))
      World::park(word, seen | asleep);
  }

  /// Writes the word once; after that its owner may be gone, so that the wake-up uses its address only.
  static void write(atomic<std::uintptr_t>& word, std::uintptr_t value, labelled_order order) noexcept {
    if constexpr (World::may_park) {
      if ((word.exchange(value, order) & asleep) != 0) World::unpark_all(&word);
    } else {
      word.store(value, order);
    }
  }

  [[gnu::cold, gnu::noinline]] void wait_behind(per_thread& pred) noexcept {
    typename World::spinner wait;
    std::uintptr_t seen;
    while (((seen = pred.grant.load(order::acquire<"look">)) & ~asleep) != name())  // I2
      if (!wait.pause_or_park()) sleep(pred.grant, seen, name(), wait);
    write(pred.grant, 0, order::release<"take">);
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    write(self.grant, name(), order::release<"pass">);
    typename World::spinner wait;
    std::uintptr_t seen;
    while (((seen = self.grant.load(order::acquire<"drained">)) & ~asleep) == name())  // I3
      if (!wait.pause_or_park()) sleep(self.grant, seen, 0, wait);
  }

  atomic<per_thread*> tail_{nullptr};
};

}  // namespace hemlock
