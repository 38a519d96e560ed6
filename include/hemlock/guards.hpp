// Guards that clang's thread-safety analysis understands (libstdc++'s carry no annotations). They are the
// standard's guards otherwise, and those work as well.
#pragma once

#include <mutex>

#include "platform/thread_safety.hpp"

namespace hemlock {

/// Holds a mutex for a scope.
template <class Mutex>
class HEMLOCK_SCOPED_CAPABILITY [[nodiscard]] lock_guard {
public:
  explicit lock_guard(Mutex& guarded) HEMLOCK_ACQUIRE(guarded) : mutex_(guarded) { mutex_.lock(); }
  lock_guard(Mutex& guarded, std::adopt_lock_t) HEMLOCK_REQUIRES(guarded) : mutex_(guarded) {}
  ~lock_guard() HEMLOCK_RELEASE() { mutex_.unlock(); }
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;

private:
  Mutex& mutex_;
};

/// Holds a mutex for a scope, may let go of it meanwhile, and is what a condition variable waits with. Always
/// begins by locking: a guard that may or may not hold is beyond what the analysis can follow.
template <class Mutex>
class HEMLOCK_SCOPED_CAPABILITY [[nodiscard]] unique_lock : public std::unique_lock<Mutex> {
public:
  explicit unique_lock(Mutex& guarded) HEMLOCK_ACQUIRE(guarded) : std::unique_lock<Mutex>(guarded) {}
  ~unique_lock() HEMLOCK_RELEASE() {}
  unique_lock(const unique_lock&) = delete;
  unique_lock& operator=(const unique_lock&) = delete;

  void lock() HEMLOCK_ACQUIRE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { std::unique_lock<Mutex>::lock(); }
  void unlock() HEMLOCK_RELEASE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { std::unique_lock<Mutex>::unlock(); }
};

}  // namespace hemlock
