// hemlock-overlap: Hemlock whose unlock does not wait for the successor's answer; the wait moves to where the
// mailbox is needed next. Choose it when unlock's latency matters more than lock's. Appendix, Overlap.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a record        its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  null            the mailbox is empty
//          a lock          this record's thread has passed that lock on, and may be long gone from unlock
//          written by its own thread in unlock, and emptied by the successor
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  A thread waits for L in the Grant of the thread that arrived at L just before it; no other waits for L there.
//   I3  A thread that arrives at L does not have L in its own Grant: else its successor would take an old
//       hand-over for its own, and two threads would be inside.
//   I4  A thread's record outlives its last answer: the thread's end waits until Grant is null.
//
// Orders
//   label       operation              order    partner   if it were weaker
//   unanswered  load of own Grant      relaxed  -         coherence orders our next hand-over after the answer seen,
//                                                         and `arrive` hides the old one from our successor
//   arrive      SWAP of Tail           acq_rel  depart    the section before an uncontended hand-over is not seen;
//                                               arrive    the successor reaches a record that is not yet made
//   arrive-not  CAS of Tail, failure   relaxed  -
//   take        load of Grant          acquire  pass      the predecessor's section is not seen
//   empty       store to Grant         release  drained   the mailbox is freed under our hands
//   depart      CAS of Tail, success   release  arrive    our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure   relaxed  -
//   drained     load of own Grant      acquire  empty     as `empty`
//   pass        store to Grant         release  take      our section is not seen by the successor
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock waits only for the answer to the previous contended
// unlock. unlock never touches the lock after depart or pass, so the next holder may destroy it. A thread that
// ends waits for its last answer; locks used from pthread_key destructors, which run later still, do not.
#pragma once

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_overlap : public lock_facade<hemlock_overlap<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct thread {
    atomic<const hemlock_overlap*> grant{nullptr};
    bool drained_at_exit = false;
  };

public:
  using per_thread = padded<thread>;
  static constexpr lock_traits traits{.name = "hemlock-overlap",
                                      .summary = "the acknowledgement is awaited at the next use",
                                      .source = "Appendix: Overlap",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true};

  constexpr hemlock_overlap() noexcept = default;

  void acquire() noexcept {
    per_thread& self = World::template self<per_thread>();
    if (self.grant.load(order::relaxed<"unanswered">) == this) [[unlikely]]
      await_answer(self);  // I3
    per_thread* const pred = tail_.exchange(&self, order::acq_rel<"arrive">);
    if (pred != nullptr) [[unlikely]]
      wait_behind(*pred);
    World::expect([&] { return tail_.load(order::look) != nullptr; });  // I1
  }

  [[nodiscard]] bool try_acquire() noexcept {
    per_thread& self = World::template self<per_thread>();
    // I3 must hold here as well. Refusing is no lie: the successor we passed L to has not even begun.
    if (self.grant.load(order::relaxed<"unanswered">) == this) return false;
    per_thread* nobody = nullptr;
    return tail_.compare_exchange_strong(nobody, &self, order::acq_rel<"arrive">,
                                         order::relaxed<"arrive-not">);
  }

  void release() noexcept {
    per_thread& self = World::template self<per_thread>();
    per_thread* last = &self;
    // Strong: a spurious failure would look like a successor, who then never answers.
    if (!tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(self);
    }
  }

private:
  [[gnu::cold, gnu::noinline]] void await_answer(per_thread& self) noexcept {
    typename World::spinner wait;
    while (self.grant.load(order::relaxed<"unanswered">) == this) wait.pause();
  }

  [[gnu::cold, gnu::noinline]] void wait_behind(per_thread& pred) noexcept {
    typename World::spinner wait;
    while (pred.grant.load(order::acquire<"take">) != this) wait.pause();  // I2
    pred.grant.store(nullptr, order::release<"empty">);
  }

  static void await_empty(per_thread& self) noexcept {
    typename World::spinner wait;
    while (self.grant.load(order::acquire<"drained">) != nullptr) wait.pause();
  }

  static void drain_at_exit(per_thread& self) noexcept {  // I4
    self.drained_at_exit = false;
    await_empty(self);
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    if (!self.drained_at_exit) {
      self.drained_at_exit = true;
      World::template at_thread_exit<&hemlock_overlap::drain_at_exit, per_thread>();
    }
    await_empty(self);
    self.grant.store(this, order::release<"pass">);
  }

  atomic<per_thread*> tail_{nullptr};
};

}  // namespace hemlock
