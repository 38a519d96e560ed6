// tbb::queuing_mutex: oneTBB's queue lock.
#pragma once

#include <oneapi/tbb/queuing_mutex.h>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class tbb_queuing_mutex : public peer {
public:
  static constexpr lock_traits traits{.name = "tbb::queuing_mutex",
                                      .summary = "oneTBB's MCS lock, which yields",
                                      .source = "oneTBB",
                                      .fifo = true,
                                      .context_free = false};
  using context = tbb::queuing_mutex::scoped_lock;
  using per_held_lock = context;
  using per_waiter = context;

  void lock(context& node) { node.acquire(mutex_); }
  void unlock(context& node) { node.release(); }

private:
  tbb::queuing_mutex mutex_;
};

}  // namespace hemlock::bench::peers
