// What ThreadSanitizer is told about a lock; nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define HEMLOCK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEMLOCK_TSAN 1
#endif
#endif

#if defined(HEMLOCK_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace hemlock::tsan {

#if defined(HEMLOCK_TSAN)
// Between pre and post the sanitizer looks away: the lock's own atomics are not the program's business, and
// the happens-before edge comes from the lock itself.
inline void pre_lock(const void* lock) noexcept {
  __tsan_mutex_pre_lock(const_cast<void*>(lock), 0);
}
inline void post_lock(const void* lock) noexcept {
  __tsan_mutex_post_lock(const_cast<void*>(lock), 0, 0);
}
inline void pre_try_lock(const void* lock) noexcept {
  __tsan_mutex_pre_lock(const_cast<void*>(lock), __tsan_mutex_try_lock);
}
inline void post_try_lock(const void* lock, bool taken) noexcept {
  __tsan_mutex_post_lock(const_cast<void*>(lock),
                         __tsan_mutex_try_lock | (taken ? 0U : __tsan_mutex_try_lock_failed), 0);
}
inline void pre_unlock(const void* lock) noexcept {
  __tsan_mutex_pre_unlock(const_cast<void*>(lock), 0);
}
inline void post_unlock(const void* lock) noexcept {
  __tsan_mutex_post_unlock(const_cast<void*>(lock), 0);
}
inline void pre_signal(const void* condition) noexcept {
  __tsan_mutex_pre_signal(const_cast<void*>(condition), 0);
}
inline void post_signal(const void* condition) noexcept {
  __tsan_mutex_post_signal(const_cast<void*>(condition), 0);
}
#else
constexpr void pre_lock(const void*) noexcept {
}
constexpr void post_lock(const void*) noexcept {
}
constexpr void pre_try_lock(const void*) noexcept {
}
constexpr void post_try_lock(const void*, bool) noexcept {
}
constexpr void pre_unlock(const void*) noexcept {
}
constexpr void post_unlock(const void*) noexcept {
}
constexpr void pre_signal(const void*) noexcept {
}
constexpr void post_signal(const void*) noexcept {
}
#endif

}  // namespace hemlock::tsan
