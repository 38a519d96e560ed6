// ConcurrencyKit's MCS lock.
#pragma once

#include "bench/peers/ck_queue_locks.hpp"
#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class ck_mcs : public peer {
public:
  static constexpr lock_traits traits{.name = "ck-mcs",
                                      .summary = "ConcurrencyKit's MCS lock",
                                      .source = "ConcurrencyKit",
                                      .fifo = true,
                                      .context_free = false};
  static constexpr bool pure_spin = true;
  using context = ck_spinlock_mcs_context_t;
  using per_held_lock = context;
  using per_waiter = context;

  void lock(context& node) noexcept { ck_spinlock_mcs_lock(&queue_, &node); }
  void unlock(context& node) noexcept { ck_spinlock_mcs_unlock(&queue_, &node); }

private:
  ck_spinlock_mcs_t queue_ = CK_SPINLOCK_MCS_INITIALIZER;
};

}  // namespace hemlock::bench::peers
