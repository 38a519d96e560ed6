// absl::Mutex: abseil's mutex.
#pragma once

#include <absl/synchronization/mutex.h>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class absl_mutex : public peer {
public:
  static constexpr lock_traits traits{.name = "absl::Mutex", .summary = "abseil's mutex", .source = "abseil"};

  void lock() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { mutex_.Lock(); }
  void unlock() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { mutex_.Unlock(); }

private:
  absl::Mutex mutex_;
};

}  // namespace hemlock::bench::peers
