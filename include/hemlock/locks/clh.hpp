// clh: the lock of Craig, and of Landin and Hagersten, in Scott's variant with the standard interface, as the
// paper's baseline has it: two words, the head kept in the body. Choose it for comparison.
//
// A free CLH lock owns a node, the dummy. Ours gets it at the first use: a Tail of null means that there was no
// acquisition yet, so a zero-initialised lock works. The node is given back by the destructor.
//
// Words
//   Tail   null (never used), else the node that arrived last, or the dummy; SWAP by arriving threads
//   Head   the holder's node; read and written by the holder only
//   node.released  a baton: passed by the node's holder in unlock, awaited by the successor
//
// Invariants
//   I1  Each node but the last has exactly one thread that awaits it, its successor: local spinning.
//   I2  A thread that has acquired the lock owns its predecessor's node: nodes migrate between threads and locks.
//
// Orders (those of the baton stand in baton.hpp)
//   label    operation     order    partner  if it were weaker
//   arrive   SWAP of Tail  acq_rel  arrive   the successor reaches a node that is not yet made or reset
//   recover  load of Tail  relaxed  -        whoever destroys the lock knows that nobody uses it any more
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock is wait-free. unlock never touches the lock after
// the baton's pass, so the next holder may destroy it, with the destructor. There is no try_lock: whether the
// last node is released can only be read while nobody can recycle it, and a CAS on Tail cannot tell a node from
// its next life. lock may throw std::bad_alloc, and then has changed nothing.
#pragma once

#include "../world/order.hpp"
#include "baton.hpp"
#include "lock_facade.hpp"
#include "node_cache.hpp"

namespace hemlock {

template <class World>
class clh : public lock_facade<clh<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct queued;
  using node = padded<queued>;
  struct queued {
    baton<World> released;
    typename World::template plain<node*> free_link{nullptr};
  };
  using nodes = node_cache<World, node>;

public:
  using per_waiter = node;
  using per_free_lock = node;
  using per_thread_cache = nodes;
  static constexpr lock_traits traits{
      .name = "clh",
      .summary = "Craig's, Landin and Hagersten's queue lock, standard interface",
      .source = "Empirical results",
      .doorstep = "arrive",
      .hand_over = "baton-pass",
      .fifo = true,
      .local_spinning = true,
      .parks = true};

  constexpr clh() noexcept = default;
  ~clh() {
    node* const dummy = tail_.load(order::relaxed<"recover">);
    if (dummy != nullptr) World::destroy(dummy);
  }

  void acquire() {
    node* const mine = nodes::take();
    mine->released.reset();
    node* const pred = tail_.exchange(mine, order::acq_rel<"arrive">);
    if (pred != nullptr) [[likely]] {
      pred->released.await();  // I1
      nodes::give(pred);       // I2
    }
    head_ = mine;
  }

  void release() noexcept {
    node* const mine = head_;
    mine->released.pass();
  }

private:
  atomic<node*> tail_{nullptr};
  typename World::template plain<node*> head_{nullptr};
};

}  // namespace hemlock
