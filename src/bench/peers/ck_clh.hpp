// ConcurrencyKit's CLH lock, with a stack of free nodes per thread, as the paper's CLH has.
#pragma once

#include <memory>
#include <vector>

#include "bench/peers/ck_queue_locks.hpp"
#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class ck_clh : public peer {
public:
  static constexpr lock_traits traits{.name = "ck-clh",
                                      .summary = "ConcurrencyKit's CLH lock",
                                      .source = "ConcurrencyKit",
                                      .fifo = true,
                                      .context_free = false};
  static constexpr bool pure_spin = true;
  using context = ck_spinlock_clh_t*;
  using per_held_lock = padded<ck_spinlock_clh_t>;
  using per_waiter = per_held_lock;
  using per_free_lock = per_held_lock;

  ck_clh() { ck_spinlock_clh_init(&queue_, new node{}); }
  ~ck_clh() { delete static_cast<node*>(queue_); }

  void lock(context& mine) {
    mine = free_nodes().take();
    ck_spinlock_clh_lock(&queue_, mine);
  }
  /// Leaves our node behind and takes the predecessor's.
  void unlock(context& mine) {
    ck_spinlock_clh_unlock(&mine);
    free_nodes().give(mine);
  }

private:
  using node = padded<ck_spinlock_clh_t>;

  /// A thread keeps one node for each lock it has held at once.
  class node_stack {
  public:
    context take() {
      if (nodes_.empty()) return new node{};
      const context top = nodes_.back().release();
      nodes_.pop_back();
      return top;
    }
    void give(context one) { nodes_.emplace_back(static_cast<node*>(one)); }

  private:
    std::vector<std::unique_ptr<node>> nodes_;
  };
  static node_stack& free_nodes() {
    static thread_local node_stack own;
    return own;
  }

  ck_spinlock_clh_t* queue_ = nullptr;
};

}  // namespace hemlock::bench::peers
