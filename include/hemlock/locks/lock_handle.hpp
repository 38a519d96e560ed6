// One thread's grip on a lock, with whatever the lock needs carried from lock to unlock. Makes every lock of
// the family Lockable, also those that are not context-free: std::lock_guard, std::unique_lock and
// std::scoped_lock work with the handle.
#pragma once

#include "../platform/thread_safety.hpp"
#include "lock_traits.hpp"

namespace hemlock {

template <class Lock>
class HEMLOCK_CAPABILITY("mutex") lock_handle {
  static constexpr bool carries = !std::is_same_v<typename Lock::context, nothing>;

public:
  explicit lock_handle(Lock& lock) noexcept : lock_(&lock) {}
  lock_handle(const lock_handle&) = delete;
  lock_handle& operator=(const lock_handle&) = delete;

  void lock() HEMLOCK_ACQUIRE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if constexpr (carries)
      lock_->lock(context_);
    else
      lock_->lock();
  }
  [[nodiscard]] bool try_lock() requires has_try_lock<Lock> HEMLOCK_TRY_ACQUIRE(true)
  HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if constexpr (carries)
      return lock_->try_lock(context_);
    else
      return lock_->try_lock();
  }
  void unlock() HEMLOCK_RELEASE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if constexpr (carries)
      lock_->unlock(context_);
    else
      lock_->unlock();
  }

private:
  Lock* lock_;
  [[no_unique_address]] typename Lock::context context_;
};

/// Holds any lock of the family for a scope.
template <class Lock>
class HEMLOCK_SCOPED_CAPABILITY scoped {
public:
  explicit scoped(Lock& lock) HEMLOCK_ACQUIRE(lock) : handle_(lock) { handle_.lock(); }
  ~scoped() HEMLOCK_RELEASE() { handle_.unlock(); }
  scoped(const scoped&) = delete;
  scoped& operator=(const scoped&) = delete;

private:
  lock_handle<Lock> handle_;
};

}  // namespace hemlock
