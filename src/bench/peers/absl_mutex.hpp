// absl::Mutex: abseil's mutex.
#pragma once

#include <absl/synchronization/mutex.h>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

/// Debian's abseil is built without NDEBUG, so that every mutex takes part in deadlock detection: five times the time
/// and hundreds of bytes per lock, which nobody has in a release build. Switched off, it is the lock its users have.
inline void as_its_users_build_it() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

class absl_mutex : public peer {
public:
  static constexpr lock_traits traits{.name = "absl::Mutex", .summary = "abseil's mutex", .source = "abseil"};

  void lock() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { mutex_.Lock(); }
  void unlock() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { mutex_.Unlock(); }

private:
  absl::Mutex mutex_;
};

}  // namespace hemlock::bench::peers
