// hemlock-stack: Hemlock with the Grant in the holder's stack frame instead of the thread's record: one mailbox per
// acquisition, so that waiting is always local. Choose it for lexically scoped locking where threads hold several
// contended locks. Space requirements; Mitigations for multi-waiting.
//
// It is not context-free: lock and unlock take the slot, which must stay where it is from lock to unlock. Use
// hemlock_stack<World>::guard, or lock_handle for the standard guards.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a slot          its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  null            the mailbox is empty
//          a lock          the slot's owner passes that lock on
//          written by its own thread in unlock, and emptied by the successor
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  Only the one thread that arrived just after looks into a slot's Grant: local spinning.
//   I3  When unlock returns, nobody else can reach the slot.
//
// Orders
//   label       operation                  order    partner  if it were weaker
//   renew       store of null to Grant     relaxed  -        `arrive` publishes it
//   arrive      SWAP of Tail               acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                                   arrive   the successor reaches a slot that is not yet made
//   arrive-not  CAS of Tail, failure       relaxed  -
//   take        CAS of Grant, success      acq_rel  pass     the predecessor's section is not seen;
//                                                   drained  the slot's frame may be left while we still write it
//   take-not    CAS of Grant, failure      relaxed  -
//   depart      CAS of Tail, success       release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure       relaxed  -
//   pass        store to Grant             release  take     our section is not seen by the successor
//   drained     fetch-and-add of 0, Grant  acquire  take     as the second half of `take`
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock waits for the successor to answer. unlock never
// touches the lock after depart or pass, so the next holder may destroy it.
#pragma once

#include "../world/order.hpp"
#include "lock_facade.hpp"
#include "lock_handle.hpp"

namespace hemlock {

template <class World>
class hemlock_stack : public lock_facade<hemlock_stack<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct mailbox {
    atomic<const hemlock_stack*> grant{nullptr};
  };

public:
  using slot = padded<mailbox>;
  using guard = scoped<hemlock_stack>;
  using context = slot;
  using per_held_lock = slot;
  using per_waiter = slot;
  static constexpr lock_traits traits{.name = "hemlock-stack",
                                      .summary = "Grant on the stack: for lexically scoped use",
                                      .source = "Space Requirements",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true,
                                      .context_free = false,
                                      .serially_reusable = true,
                                      .local_spinning = true};

  constexpr hemlock_stack() noexcept = default;

  void acquire(slot& mine) noexcept {
    mine.grant.store(nullptr, order::relaxed<"renew">);
    slot* const pred = tail_.exchange(&mine, order::acq_rel<"arrive">);
    if (pred != nullptr) [[unlikely]]
      wait_behind(*pred);
  }

  [[nodiscard]] bool try_acquire(slot& mine) noexcept {
    mine.grant.store(nullptr, order::relaxed<"renew">);
    slot* nobody = nullptr;
    return tail_.compare_exchange_strong(nobody, &mine, order::acq_rel<"arrive">,
                                         order::relaxed<"arrive-not">);
  }

  void release(slot& mine) noexcept {
    slot* last = &mine;
    // Strong: a spurious failure would look like a successor, who then never answers.
    if (!tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(mine);
    }
  }

private:
  [[gnu::cold, gnu::noinline]] void wait_behind(slot& pred) noexcept {
    typename World::spinner wait;
    for (const hemlock_stack* mine = this; !pred.grant.compare_exchange_strong(
             mine, nullptr, order::acq_rel<"take">, order::relaxed<"take-not">);
         mine = this)  // I2
      wait.pause();
  }

  [[gnu::cold, gnu::noinline]] void pass_on(slot& mine) noexcept {
    mine.grant.store(this, order::release<"pass">);
    typename World::spinner wait;
    while (mine.grant.fetch_add(0, order::acquire<"drained">) != nullptr) wait.pause();  // I3
  }

  atomic<slot*> tail_{nullptr};
};

}  // namespace hemlock
