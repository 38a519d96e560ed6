// The default lock's way through the library: no table, and for a mutex that nobody else wants no call at all.
//
// It knows two values of the lock's word: 0 is free, 1 is held without a queue. settings.cpp compares that with
// the lock itself when the library starts. Everything else is left to the lock.
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

class default_lock {
public:
  using lock_type = basic_mutex<guest_world<waiting::automatic>>;
  static constexpr bool keeps_owner = true;
  static constexpr std::uintptr_t free = 0;
  static constexpr std::uintptr_t held = 1;

  [[gnu::always_inline]] static bool acquire_at_once(mutex_body& body) noexcept {
    auto& word = word_of(body);
    std::uintptr_t seen = word.load(std::memory_order_relaxed);
    if (seen != free) [[unlikely]]
      return false;
    if (is_alone()) {
      // Nobody can come between the load and the store. A signal handler that locks this mutex is as wrong here as
      // with glibc, which does the same.
      word.store(held, std::memory_order_relaxed);
      return true;
    }
    return word.compare_exchange_strong(seen, held, std::memory_order_acquire, std::memory_order_relaxed);
  }

  [[gnu::always_inline]] static bool release_at_once(mutex_body& body) noexcept {
    auto& word = word_of(body);
    std::uintptr_t seen = word.load(std::memory_order_relaxed);
    if (seen != held) [[unlikely]]
      return false;
    if (is_alone()) {
      word.store(free, std::memory_order_relaxed);
      return true;
    }
    return word.compare_exchange_strong(seen, free, std::memory_order_release, std::memory_order_relaxed);
  }

  [[gnu::always_inline]] static void acquire(mutex_body& body) noexcept {
    if (!acquire_at_once(body)) [[unlikely]]
      acquire_with_others(body);
  }
  [[gnu::always_inline]] static bool try_acquire(mutex_body& body) noexcept {
    return acquire_at_once(body) || try_acquire_with_others(body);
  }
  static bool acquire_until(mutex_body& body, const deadline& limit) noexcept {
    return place::acquire_until(body, limit);
  }
  [[gnu::always_inline]] static void release(mutex_body& body) noexcept {
    if (!release_at_once(body)) [[unlikely]]
      release_with_others(body);
  }

  [[gnu::noinline]] static void acquire_with_others(mutex_body& body) noexcept { place::acquire(body); }
  [[gnu::noinline]] static void release_with_others(mutex_body& body) noexcept {
    // Unlocking a mutex that nobody holds is undefined, and does nothing with glibc.
    if (word_of(body).load(std::memory_order_relaxed) == free) return;
    place::release(body);
  }

private:
  using place = in_place<lock_type>;

  [[gnu::noinline]] static bool try_acquire_with_others(mutex_body& body) noexcept {
    return place::try_acquire(body);
  }

  static std::atomic<std::uintptr_t>& word_of(mutex_body& body) noexcept {
    return *reinterpret_cast<std::atomic<std::uintptr_t>*>(body.lock);
  }
  static bool is_alone() noexcept {
#if __has_include(<sys/single_threaded.h>)
    return __libc_single_threaded != 0;
#else
    return false;  // a glibc before 2.32 does not say
#endif
  }
};

static_assert(sizeof(default_lock::lock_type) == sizeof(std::uintptr_t));

}  // namespace hemlock::preload
