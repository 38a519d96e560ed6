// hemlock-cv: Hemlock whose Grant is a bounded buffer of one, guarded by a mutex and a condition variable that each
// thread has: the platform's own way of waiting, but strictly FIFO, and without contention neither is touched.
// Choose it where the platform's waiting is wanted (priorities, tools that know it). Future Work.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a record        its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  null            the mailbox is empty
//          a lock          this record's thread passes that lock on
//          written by its own thread in unlock, and emptied by the successor; in a World that parks, only under the
//          record's monitor, and every change is notified
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  A thread waits for L in the Grant of the thread that arrived at L just before it; no other waits for L there.
//   I3  Outside of unlock, a thread's own Grant is null.
//   I4  A thread leaves unlock only after its successor has left the record's monitor.
//
// Orders
//   label       operation              order    partner   if it were weaker
//   arrive      SWAP of Tail           acq_rel  depart    the section before an uncontended hand-over is not seen;
//                                               arrive    the successor reaches a record that is not yet made
//   arrive-not  CAS of Tail, failure   relaxed  -
//   take        load of Grant          acquire  pass      the predecessor's section is not seen
//   empty       store to Grant         release  drained   the record's thread may end while we still look at it
//               under the monitor      relaxed  -         its mutex orders all that is done inside
//   depart      CAS of Tail, success   release  arrive    our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure   relaxed  -
//   pass        store to Grant         release  take      our section is not seen by the successor
//               under the monitor      relaxed  -         as with `empty`
//   drained     load of own Grant      acquire  empty     as `empty`
//               under the monitor      relaxed  -         as with `empty`
//   wait-take   load of Grant          relaxed  -         under the monitor, where alone a World that parks decides
//
// Promises: FIFO in the order of arrive, even if the platform's mutex is not. Lockout-free; unlock waits for the
// successor to answer. unlock never touches the lock after depart or pass, so the next holder may destroy it.
#pragma once

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_cv : public lock_facade<hemlock_cv<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct thread {
    atomic<const hemlock_cv*> grant{nullptr};
    typename World::monitor monitor{};
  };

public:
  using per_thread = padded<thread>;
  static constexpr lock_traits traits{.name = "hemlock-cv",
                                      .summary = "Grant guarded by a per-thread mutex and condition variable",
                                      .source = "Future Work",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true,
                                      .parks = true};

  constexpr hemlock_cv() noexcept = default;

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
    if (!tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(self);
    }
  }

private:
  [[gnu::cold, gnu::noinline]] void wait_behind(per_thread& pred) noexcept {
    typename World::spinner wait;
    if constexpr (World::may_park) {
      while (!is_granted_by(pred) && wait.pause_or_park()) {
      }
      pred.monitor.lock();
      while (!is_granted_by(pred)) pred.monitor.wait();
      pred.grant.store(nullptr, order::relaxed<"empty">);
      pred.monitor.notify_all();
      pred.monitor.unlock();
    } else {
      while (pred.grant.load(order::acquire<"take">) != this) wait.pause();  // I2
      pred.grant.store(nullptr, order::release<"empty">);
    }
  }

  bool is_granted_by(per_thread& pred) const noexcept {
    return pred.grant.load(order::relaxed<"wait-take">) == this;  // I2
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    if constexpr (World::may_park) {
      self.monitor.lock();
      self.grant.store(this, order::relaxed<"pass">);
      self.monitor.notify_all();  // all: successors on other locks wait here too
      while (self.grant.load(order::relaxed<"drained">) != nullptr) self.monitor.wait();
      self.monitor.unlock();  // I4
    } else {
      self.grant.store(this, order::release<"pass">);
      typename World::spinner wait;
      while (self.grant.load(order::acquire<"drained">) != nullptr) wait.pause();
    }
  }

  atomic<per_thread*> tail_{nullptr};
};

}  // namespace hemlock
