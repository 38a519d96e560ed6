// hemlock-marked: Hemlock whose successor marks its predecessor's empty Grant with L|1, so that a contended unlock
// passes the lock on without touching the lock's word. Choose it under steady contention. Appendix, Optimized
// Hand-Over, variant 1.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a record        its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  0               the mailbox is empty
//          L|1             a mark: the thread that arrived at L after this record's thread waits for it
//          L               this record's thread passes L on
//          0 to L|1 by the successor (CAS), anything to L by its own thread in unlock, L to 0 by the successor. A mark
//          may be missing, or overwritten by the hand-over of another lock
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  A thread waits for L in the Grant of the thread that arrived at L just before it; no other waits for L there.
//   I3  Outside of unlock, a thread's own Grant is empty or marked.
//   I4  A holder of L that finds L|1 in its Grant has a successor.
//
// Orders
//   label       operation                  order    partner  if it were weaker
//   arrive      SWAP of Tail               acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                                   arrive   the successor reaches a record that is not yet made
//   arrive-not  CAS of Tail, failure       relaxed  -
//   mark        CAS of Grant, 0 to L|1     relaxed  -        only a hint: the section travels by pass and take
//   take        CAS of Grant, success      acq_rel  pass     the predecessor's section is not seen;
//                                                   drained  the record's thread may end while we still write it
//   take-not    CAS of Grant, failure      relaxed  -
//   marked      load of own Grant          relaxed  -        as `mark`
//   depart      CAS of Tail, success       release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure       relaxed  -
//   pass        store to Grant             release  take     our section is not seen by the successor
//   drained     fetch-and-add of 0, Grant  acquire  take     as the second half of `take`
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock waits for the successor to answer: while Grant is L,
// not until it is 0, since a successor on another lock may mark it at once. unlock never touches the lock after
// depart or pass, so the next holder may destroy it. Waiting is local unless a thread holds several contended
// locks: then one waiter per such lock looks at the same Grant.
#pragma once

#include <cstdint>

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_marked : public lock_facade<hemlock_marked<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct thread {
    atomic<std::uintptr_t> grant{0};
  };

public:
  using per_thread = padded<thread>;
  static constexpr lock_traits traits{.name = "hemlock-marked",
                                      .summary = "the successor marks Grant; unlock skips Tail",
                                      .source = "Appendix: Optimized Hand-Over, variant 1",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true};

  constexpr hemlock_marked() noexcept = default;

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
    per_thread* last = &self;
    // Strong: a spurious failure would look like a successor, who then never answers.
    if (self.grant.load(order::relaxed<"marked">) == (name() | 1) ||
        !tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(self);
    }
  }

private:
  std::uintptr_t name() const noexcept { return reinterpret_cast<std::uintptr_t>(this); }

  [[gnu::cold, gnu::noinline]] void wait_behind(per_thread& pred) noexcept {
    std::uintptr_t empty = 0;
    pred.grant.compare_exchange_strong(empty, name() | 1, order::relaxed<"mark">, order::relaxed<"mark">);
    typename World::spinner wait;
    for (std::uintptr_t mine = name();
         !pred.grant.compare_exchange_strong(mine, 0, order::acq_rel<"take">, order::relaxed<"take-not">);
         mine = name())  // I2
      wait.pause();
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    self.grant.store(name(), order::release<"pass">);
    typename World::spinner wait;
    while (self.grant.fetch_add(0, order::acquire<"drained">) == name()) wait.pause();  // I3
  }

  atomic<per_thread*> tail_{nullptr};
};

}  // namespace hemlock
