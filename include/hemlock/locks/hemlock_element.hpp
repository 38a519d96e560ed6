// hemlock-element: Hemlock for Worlds that reclaim memory safely (the paper's Java-like environment): a fresh element
// per acquisition, so that no answer is needed and hand-over is as early as can be. Choose it to study; it allocates
// at every acquisition, and the paper itself recommends CLH there. Garbage collection.
//
// The World's reclamation (natively liburcu, in world/native_rcu.hpp) keeps an element until nobody who might have
// reached it is still inside a `reading` section: the owner retires it when it is unreachable from Tail, and the one
// successor who holds a pointer to it got it inside its own section.
//
// Words
//   Tail   null, or the element that arrived last; SWAP by arriving threads, CAS to null by a holder without successor
//   Owner  the holder's element; read and written by the holder only
//   element.grant    0, then 1 for ever when its owner passes the lock on
//   element.waiting  0, then 1 for ever when the successor has said so: a hint that may come late
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  Only the one thread that arrived just after looks into an element: local spinning.
//   I3  An element is retired once, by its owner, after Tail has ceased to point to it.
//
// Orders
//   label       operation              order    partner  if it were weaker
//   arrive      SWAP of Tail           acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                               arrive   the successor reaches an element that is not yet made
//   arrive-not  CAS of Tail, failure   relaxed  -
//   note        store to waiting       relaxed  -        only a hint
//   take        load of grant          acquire  pass     the predecessor's section is not seen
//   pass        store to grant         release  take     our section is not seen by the successor
//   noted       load of waiting        relaxed  -        as `note`
//   depart      CAS of Tail, success   release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure   relaxed  -
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock is wait-free. NOT safe to destroy promptly: between pass
// and depart the successor may have come, gone, and freed the lock that depart then touches. lock may throw
// std::bad_alloc, and then has changed nothing.
#pragma once

#include <cstdint>

#include "../world/concept.hpp"
#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_element : public lock_facade<hemlock_element<World>, World> {
  static_assert(reclaiming_world<World>,
                "hemlock-element needs a World that reclaims memory: world/native_rcu.hpp");
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct waiting_element {
    atomic<std::uint32_t> grant{0};
    atomic<std::uint32_t> waiting{0};
  };
  using element = padded<waiting_element>;

public:
  using per_held_lock = element;
  using per_waiter = element;
  static constexpr lock_traits traits{.name = "hemlock-element",
                                      .summary = "a fresh element per acquisition; needs memory reclamation",
                                      .source = "Appendix: garbage collection",
                                      .doorstep = "arrive",
                                      .hand_over = "pass",
                                      .fifo = true,
                                      .prompt_destruction_safe = false,
                                      .local_spinning = true};

  constexpr hemlock_element() noexcept = default;

  void acquire() {
    element* const mine = World::template create<element>();
    [[maybe_unused]] const typename World::reading section;
    element* const pred = tail_.exchange(mine, order::acq_rel<"arrive">);
    if (pred != nullptr) [[unlikely]]
      wait_behind(*pred);
    owner_ = mine;
  }

  [[nodiscard]] bool try_acquire() {
    element* const mine = World::template create<element>();
    element* nobody = nullptr;
    if (!tail_.compare_exchange_strong(nobody, mine, order::acq_rel<"arrive">,
                                       order::relaxed<"arrive-not">)) {
      World::destroy(mine);
      return false;
    }
    owner_ = mine;
    return true;
  }

  void release() noexcept {
    element* const mine = owner_;
    mine->grant.store(1, order::release<"pass">);
    if (mine->waiting.load(order::relaxed<"noted">) == 0) [[likely]] {
      element* last = mine;
      tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">);
    }
    World::retire(mine);  // I3
  }

private:
  [[gnu::cold, gnu::noinline]] static void wait_behind(element& pred) noexcept {
    pred.waiting.store(1, order::relaxed<"note">);
    typename World::spinner wait;
    while (pred.grant.load(order::acquire<"take">) == 0) wait.pause();  // I2
  }

  atomic<element*> tail_{nullptr};
  typename World::template plain<element*> owner_{nullptr};
};

}  // namespace hemlock
