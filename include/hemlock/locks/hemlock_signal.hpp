// hemlock-signal: Hemlock that a signal handler may use while the interrupted thread is anywhere inside lock or
// unlock: a contended unlock saves what it finds in Grant and puts it back. Choose it where handlers lock.
// Appendix, Serially Reusable.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a record        its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  null            the mailbox is empty
//          a lock          this record's thread passes that lock on
//          SWAP by its own thread in unlock, CAS to null by the successor, and put back by its own thread
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  A thread waits for L in the Grant of the thread that arrived at L just before it; no other waits for L there.
//   I3  When unlock returns, Grant is what it was when it began, unless the interrupted hand-over was answered
//       before the SWAP that saved it.
//   I4  Handlers nest: they return in reverse order, and use locks that the code they interrupt does not use.
//
// Orders
//   label       operation                  order    partner  if it were weaker
//   arrive      SWAP of Tail               acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                                   arrive   the successor reaches a record that is not yet made
//   arrive-not  CAS of Tail, failure       relaxed  -
//   take        CAS of Grant, success      acq_rel  pass     the predecessor's section is not seen;
//                                          restore  likewise, when the hand-over was interrupted and put back;
//                                          drained  the record's thread may end while we still write it
//   take-not    CAS of Grant, failure      relaxed  -
//   depart      CAS of Tail, success       release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure       relaxed  -
//   pass        SWAP of Grant              release  take     our section is not seen by the successor
//   drained     fetch-and-add of 0, Grant  acquire  take     as the third part of `take`
//   restore     store to Grant             release  take     the interrupted section is not seen by its successor
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock waits for the successor to answer. unlock never
// touches the lock after depart or pass, so the next holder may destroy it. A handler that interrupts a contended
// unlock delays that hand-over until it returns. The SWAP must be one step: a successor that answers between a
// load and a store would be called back by the restored value. Serially reusable for handlers of any depth (I4).
#pragma once

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_signal : public lock_facade<hemlock_signal<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct thread {
    atomic<const hemlock_signal*> grant{nullptr};
  };

public:
  using per_thread = padded<thread>;
  static constexpr lock_traits traits{.name = "hemlock-signal",
                                      .summary = "usable in signal handlers: unlock saves and restores Grant",
                                      .source = "Appendix: Serially Reusable",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true,
                                      .serially_reusable = true};

  constexpr hemlock_signal() noexcept = default;

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
    for (const hemlock_signal* mine = this; !pred.grant.compare_exchange_strong(
             mine, nullptr, order::acq_rel<"take">, order::relaxed<"take-not">);
         mine = this)  // I2
      wait.pause();
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    const hemlock_signal* const interrupted = self.grant.exchange(this, order::release<"pass">);
    typename World::spinner wait;
    while (self.grant.fetch_add(0, order::acquire<"drained">) != nullptr) wait.pause();
    if (interrupted != nullptr) self.grant.store(interrupted, order::release<"restore">);  // I3
  }

  atomic<per_thread*> tail_{nullptr};
};

}  // namespace hemlock
