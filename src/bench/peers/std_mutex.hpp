// std::mutex: the standard library's mutex.
#pragma once

#include <mutex>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class std_mutex : public peer {
public:
  static constexpr lock_traits traits{
      .name = "std::mutex", .summary = "the standard library's mutex", .source = "C++ standard library"};

  void lock() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
  void unlock() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }

private:
  std::mutex mutex_;
};

}  // namespace hemlock::bench::peers
