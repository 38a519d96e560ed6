// tbb::spin_mutex: oneTBB's test-and-set lock, which backs off and yields.
#pragma once

#include <oneapi/tbb/spin_mutex.h>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class tbb_spin_mutex : public peer {
public:
  static constexpr lock_traits traits{.name = "tbb::spin_mutex",
                                      .summary = "oneTBB's test-and-set lock, which backs off and yields",
                                      .source = "oneTBB"};

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

private:
  tbb::spin_mutex mutex_;
};

}  // namespace hemlock::bench::peers
