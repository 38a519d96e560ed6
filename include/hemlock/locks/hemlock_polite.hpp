// hemlock-polite: Hemlock whose unlock looks at Tail before it tries the CAS, and so spares the line a futile write
// when somebody waits. Choose it under steady contention. Appendix, Optimized Hand-Over, variant 3.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a record        its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  null            the mailbox is empty
//          a lock          this record's thread passes that lock on
//          written by its own thread in unlock, and emptied by the successor
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  A thread waits for L in the Grant of the thread that arrived at L just before it; no other waits for L there.
//   I3  Outside of unlock, a thread's own Grant is null.
//
// Orders
//   label       operation                  order    partner  if it were weaker
//   arrive      SWAP of Tail               acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                                   arrive   the successor reaches a record that is not yet made
//   arrive-not  CAS of Tail, failure       relaxed  -
//   take        CAS of Grant, success      acq_rel  pass     the predecessor's section is not seen;
//                                                   drained  the record's thread may end while we still write it
//   take-not    CAS of Grant, failure      relaxed  -
//   successor   load of Tail               relaxed  -        only tells whether anybody arrived after us
//   depart      CAS of Tail, success       release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure       relaxed  -
//   pass        store to Grant             release  take     our section is not seen by the successor
//   drained     fetch-and-add of 0, Grant  acquire  take     as the second half of `take`
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock waits for the successor to answer. unlock never
// touches the lock after depart or pass, so the next holder may destroy it. Waiting is local unless a thread
// holds several contended locks: then one waiter per such lock looks at the same Grant.
#pragma once

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_polite : public lock_facade<hemlock_polite<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct thread {
    atomic<const hemlock_polite*> grant{nullptr};
  };

public:
  using per_thread = padded<thread>;
  static constexpr lock_traits traits{.name = "hemlock-polite",
                                      .summary = "looks at Tail before the CAS in unlock",
                                      .source = "Appendix: Optimized Hand-Over, variant 3",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true};

  constexpr hemlock_polite() noexcept = default;

  void acquire() noexcept {
    per_thread& self = World::template self<per_thread>();
    World::expect([&] { return self.grant.load(order::look) == nullptr; });  // I3
    per_thread* const pred = tail_.exchange(&self, order::acq_rel<"arrive">);
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
    World::expect([&] { return self.grant.load(order::look) == nullptr; });  // I3
    per_thread* last = &self;
    // Strong: a spurious failure would look like a successor, who then never answers.
    if (tail_.load(order::relaxed<"successor">) != &self ||
        !tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(self);
    }
  }

private:
  [[gnu::cold, gnu::noinline]] void wait_behind(per_thread& pred) noexcept {
    typename World::spinner wait;
    for (const hemlock_polite* mine = this; !pred.grant.compare_exchange_strong(
             mine, nullptr, order::acq_rel<"take">, order::relaxed<"take-not">);
         mine = this)  // I2
      wait.pause();
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    self.grant.store(this, order::release<"pass">);
    typename World::spinner wait;
    while (self.grant.fetch_add(0, order::acquire<"drained">) != nullptr) wait.pause();  // I3
  }

  atomic<per_thread*> tail_{nullptr};
};

}  // namespace hemlock
