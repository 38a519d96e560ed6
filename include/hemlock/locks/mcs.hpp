// mcs: the lock of Mellor-Crummey and Scott, as the paper's baseline has it: two words, the head kept in the
// body so that unlock needs nothing from lock; nodes come from a per-thread stack. Choose it for comparison, or
// where a thread holds many contended locks at once.
//
// Words
//   Tail   null or the node that arrived last; SWAP by arriving threads, CAS to null by a holder without successor
//   Head   the holder's node; read and written by the holder only
//   node.next     null, or the successor's node; written once per acquisition, by the successor
//   node.granted  a baton, awaited by the node's thread and passed by its predecessor
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  A thread waits on its own node only: local spinning, whatever locks are held.
//   I3  A node goes back to its thread's stack only when nobody else can reach it.
//
// Orders (those of the baton stand in baton.hpp)
//   label       operation              order    partner  if it were weaker
//   renew       store of null to next  relaxed  -        `arrive` publishes it
//   arrive      SWAP of Tail           acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                               arrive   the successor reaches a node that is not yet made
//   arrive-not  CAS of Tail, failure   relaxed  -
//   link        store to next          release  linked   the predecessor passes a baton that is not yet reset
//   linked      load of next           acquire  link     as `link`
//   depart      CAS of Tail, success   release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure   relaxed  -
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock may wait for the successor to link itself. unlock
// never touches the lock after depart or the baton's pass, so the next holder may destroy it. lock may throw
// std::bad_alloc, and then has changed nothing.
#pragma once

#include "../world/order.hpp"
#include "baton.hpp"
#include "lock_facade.hpp"
#include "node_cache.hpp"

namespace hemlock {

template <class World>
class mcs : public lock_facade<mcs<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct queued;
  using node = padded<queued>;
  struct queued {
    atomic<node*> next{nullptr};
    baton<World> granted;
    typename World::template plain<node*> free_link{nullptr};
  };
  using nodes = node_cache<World, node>;

public:
  using per_held_lock = node;
  using per_waiter = node;
  using per_thread_cache = nodes;
  static constexpr lock_traits traits{.name = "mcs",
                                      .summary = "Mellor-Crummey and Scott's queue lock, head in the body",
                                      .source = "Empirical results",
                                      .doorstep = "arrive",
                                      .hand_over = "baton-pass",
                                      .fifo = true,
                                      .local_spinning = true,
                                      .parks = true};

  constexpr mcs() noexcept = default;

  void acquire() {
    node* const mine = renewed_node();
    node* const pred = tail_.exchange(mine, order::acq_rel<"arrive">);
    if (pred != nullptr) [[unlikely]] {
      pred->next.store(mine, order::release<"link">);
      mine->granted.await();  // I2
    }
    head_ = mine;
  }

  [[nodiscard]] bool try_acquire() {
    node* const mine = renewed_node();
    node* nobody = nullptr;
    if (!tail_.compare_exchange_strong(nobody, mine, order::acq_rel<"arrive">,
                                       order::relaxed<"arrive-not">)) {
      nodes::give(mine);
      return false;
    }
    head_ = mine;
    return true;
  }

  void release() noexcept {
    node* const mine = head_;
    node* next = mine->next.load(order::acquire<"linked">);
    if (next == nullptr) [[likely]] {
      node* last = mine;
      // Strong: a spurious failure would look like a successor, who then never links itself.
      if (tail_.compare_exchange_strong(last, nullptr, order::release<"depart">,
                                        order::relaxed<"depart-not">)) [[likely]]
        return nodes::give(mine);
      next = await_link(*mine);
    }
    next->granted.pass();
    nodes::give(mine);  // I3: the successor linked itself, and looks at its own node
  }

private:
  static node* renewed_node() {
    node* const mine = nodes::take();
    mine->next.store(nullptr, order::relaxed<"renew">);
    mine->granted.reset();
    return mine;
  }

  [[gnu::cold, gnu::noinline]] static node* await_link(node& mine) noexcept {
    typename World::spinner wait;
    node* next;
    while ((next = mine.next.load(order::acquire<"linked">)) == nullptr) wait.pause();
    return next;
  }

  atomic<node*> tail_{nullptr};
  typename World::template plain<node*> head_{nullptr};
};

}  // namespace hemlock
