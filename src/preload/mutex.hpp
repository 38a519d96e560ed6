// The mutex functions as the rest of the library calls them, without going through the dynamic linker.
#pragma once

#include <pthread.h>

#include "preload/layout.hpp"
#include "preload/settings.hpp"

#pragma GCC visibility push(default)
extern "C" {
int hemlock_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept;
int hemlock_mutex_destroy(pthread_mutex_t* mutex) noexcept;
int hemlock_mutex_lock(pthread_mutex_t* mutex) noexcept;
int hemlock_mutex_trylock(pthread_mutex_t* mutex) noexcept;
int hemlock_mutex_timedlock(pthread_mutex_t* mutex, const timespec* when) noexcept;
int hemlock_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* when) noexcept;
int hemlock_mutex_unlock(pthread_mutex_t* mutex) noexcept;
}
#pragma GCC visibility pop

namespace hemlock::preload {

/// Whether the mutex is glibc's business.
inline bool is_foreign(mutex_body& body, std::uint32_t mode) noexcept {
  return mode == glibc_mode || !kind::is_ours(body.kind.load(std::memory_order_relaxed));
}

/// Around a wait on a condition variable: as unlock and lock, but pthread_mutex_destroy knows that we come back.
int release_for_wait(pthread_mutex_t* mutex) noexcept;
int retake_after_wait(pthread_mutex_t* mutex) noexcept;

/// If we hold the mutex: whoever sleeps on `word` is woken when we release it. False if it must be woken now.
bool wake_on_release(pthread_mutex_t* mutex, const void* word) noexcept;

}  // namespace hemlock::preload
