// The default lock's way through the library: no table of functions, and for a mutex that nobody else wants no call.
#pragma once

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include <atomic>
#include <cstdint>

#include "hemlock/locks/mutex.hpp"
#include "preload/in_place.hpp"
#include "preload/world.hpp"

namespace hemlock::preload {

/// Whether the process has one thread, as glibc knows it.
inline bool is_alone() noexcept {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded != 0;
#else
  return false;  // a glibc before 2.32 does not say
#endif
}

/// As long as no lock can be stale (fork.hpp), which is for ever in most processes.
///
/// It knows two values of the lock's word: 0 is free, 1 is held without a queue. settings.cpp compares that with the
/// lock itself when the library starts. Everything else is left to the lock.
class default_lock {
public:
  using lock_type = basic_mutex<guest_world<waiting::automatic>>;
  using place = in_place<lock_type>;
  static constexpr bool keeps_owner = true;
  static constexpr std::uintptr_t free = 0;
  static constexpr std::uintptr_t held = 1;

  /// What is done without a call, hence without a stack frame: false if that was not enough.
  [[gnu::always_inline]] static bool acquire_at_once(mutex_body& body) noexcept {
    std::uintptr_t seen = word_of(body).load(std::memory_order_relaxed);
    if (seen != free) return false;
    if (is_alone()) {
      // Nobody can come between the load and the store. A signal handler that locks this mutex is as wrong here as
      // with glibc, which does the same.
      word_of(body).store(held, std::memory_order_relaxed);
      return true;
    }
    return word_of(body).compare_exchange_strong(seen, held, std::memory_order_acquire,
                                                 std::memory_order_relaxed);
  }
  [[gnu::always_inline]] static bool release_at_once(mutex_body& body) noexcept {
    std::uintptr_t seen = word_of(body).load(std::memory_order_relaxed);
    if (seen != held) return false;
    if (is_alone()) {
      word_of(body).store(free, std::memory_order_relaxed);
      return true;
    }
    return word_of(body).compare_exchange_strong(seen, free, std::memory_order_release,
                                                 std::memory_order_relaxed);
  }

  [[gnu::always_inline]] static void acquire(mutex_body& body) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if (!acquire_at_once(body)) place::lock_of(body).lock();
  }
  [[gnu::always_inline]] static bool try_acquire(mutex_body& body) noexcept
      HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    return acquire_at_once(body) || place::lock_of(body).try_lock();
  }
  static bool acquire_until(mutex_body& body, const deadline& limit) noexcept {
    return place::acquire_until(body, limit);
  }
  /// Unlocking a mutex that nobody holds is undefined, and does nothing with glibc; so it does here.
  [[gnu::always_inline]] static void release(mutex_body& body) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if (!release_at_once(body)) place::lock_of(body).unlock();
  }

  static std::atomic<std::uintptr_t>& word_of(mutex_body& body) noexcept {
    return *reinterpret_cast<std::atomic<std::uintptr_t>*>(body.lock);
  }
};

/// The same lock in a child of a multi-threaded process, where each mutex may have a queue from before.
class careful_lock : public default_lock {
public:
  static void acquire(mutex_body& body) noexcept { place::acquire(body); }
  static bool try_acquire(mutex_body& body) noexcept { return place::try_acquire(body); }
  static void release(mutex_body& body) noexcept {
    if (word_of(body).load(std::memory_order_relaxed) != free) place::release(body);
  }
};

static_assert(sizeof(default_lock::lock_type) == sizeof(std::uintptr_t));

}  // namespace hemlock::preload
