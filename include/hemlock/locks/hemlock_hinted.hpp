// hemlock-hinted: Hemlock whose successor leaves a note in its predecessor's record, so that a contended unlock
// passes the lock on without touching the lock's word at all, and with loads and stores only. Choose it under
// steady contention. Appendix, Optimized Hand-Over, variant 2.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a record        its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  null            the mailbox is empty
//          a lock          this record's thread passes that lock on
//          written by its own thread in unlock, and emptied by the successor
//   Waiting  null          no note
//            a lock        the thread that arrived at that lock after this record's thread waits for it
//            cleared by its own thread on arrival; written by successors. A note may be missing or overwritten,
//            but a note that says L to a holder of L is never old
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  A thread waits for L in the Grant of the thread that arrived at L just before it; no other waits for L there.
//   I3  Outside of unlock, a thread's own Grant is null.
//   I4  A holder of L that finds L in its Waiting has a successor: the notes of earlier tenures were cleared on
//       arrival, by try_lock as well.
//
// Orders
//   label       operation                  order    partner  if it were weaker
//   arrive      SWAP of Tail               acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                                   arrive   the successor reaches a record that is not yet made,
//                                                            or leaves a note that our `clear` then wipes or doubles
//   arrive-not  CAS of Tail, failure       relaxed  -
//   clear       store of null to Waiting   relaxed  -        `arrive` publishes it
//   try-clear   likewise, in try_lock      relaxed  -        as `clear`
//   note        store to Waiting           relaxed  -        `empty` orders it before the record's next `clear`
//   noted       load of own Waiting        relaxed  -        only a hint: the section travels by pass and take
//   take        load of Grant              acquire  pass     the predecessor's section is not seen
//   empty       store to Grant             release  drained  the record's thread may end, or clear Waiting, before us
//   depart      CAS of Tail, success       release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure       relaxed  -
//   pass        store to Grant             release  take     our section is not seen by the successor
//   drained     load of own Grant          acquire  empty    as `empty`
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock waits for the successor to answer. unlock never
// touches the lock after depart or pass, so the next holder may destroy it. Waiting is local unless a thread
// holds several contended locks: then one waiter per such lock looks at the same Grant.
#pragma once

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_hinted : public lock_facade<hemlock_hinted<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct thread {
    atomic<const hemlock_hinted*> grant{nullptr};
    atomic<const hemlock_hinted*> waiting{nullptr};
  };

public:
  using per_thread = padded<thread>;
  static constexpr lock_traits traits{.name = "hemlock-hinted",
                                      .summary = "the successor leaves a note; unlock skips Tail",
                                      .source = "Appendix: Optimized Hand-Over, variant 2",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true};

  constexpr hemlock_hinted() noexcept = default;

  void acquire() noexcept {
    per_thread& self = World::template self<per_thread>();
    World::expect([&] { return self.grant.load(order::look) == nullptr; });  // I3
    self.waiting.store(nullptr, order::relaxed<"clear">);                    // I4
    per_thread* const pred = tail_.exchange(&self, order::acq_rel<"arrive">);
    if (pred != nullptr) [[unlikely]]
      wait_behind(*pred);
  }

  [[nodiscard]] bool try_acquire() noexcept {
    per_thread& self = World::template self<per_thread>();
    self.waiting.store(nullptr, order::relaxed<"try-clear">);  // I4
    per_thread* nobody = nullptr;
    return tail_.compare_exchange_strong(nobody, &self, order::acq_rel<"arrive">,
                                         order::relaxed<"arrive-not">);
  }

  void release() noexcept {
    per_thread& self = World::template self<per_thread>();
    World::expect([&] { return self.grant.load(order::look) == nullptr; });  // I3
    per_thread* last = &self;
    // Strong: a spurious failure would look like a successor, who then never answers.
    if (self.waiting.load(order::relaxed<"noted">) == this ||
        !tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(self);
    }
  }

private:
  [[gnu::cold, gnu::noinline]] void wait_behind(per_thread& pred) noexcept {
    pred.waiting.store(this, order::relaxed<"note">);
    typename World::spinner wait;
    while (pred.grant.load(order::acquire<"take">) != this) wait.pause();  // I2
    pred.grant.store(nullptr, order::release<"empty">);
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    self.grant.store(this, order::release<"pass">);
    typename World::spinner wait;
    while (self.grant.load(order::acquire<"drained">) != nullptr) wait.pause();  // I3
  }

  atomic<per_thread*> tail_{nullptr};
};

}  // namespace hemlock
