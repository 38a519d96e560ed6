// tbb::mutex: oneTBB's mutex, which barges without a bound.
#pragma once

#include <oneapi/tbb/mutex.h>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class tbb_mutex : public peer {
public:
  static constexpr lock_traits traits{
      .name = "tbb::mutex", .summary = "oneTBB's mutex, which barges without a bound", .source = "oneTBB"};

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

private:
  tbb::mutex mutex_;
};

}  // namespace hemlock::bench::peers
