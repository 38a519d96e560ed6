// A registered lock inside a mutex_body: the four functions of an engine, and what a stale lock needs (fork.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <new>

#include "hemlock/locks/lock_traits.hpp"
#include "hemlock/platform/thread_safety.hpp"
#include "preload/engine.hpp"
#include "preload/fork.hpp"
#include "preload/nap.hpp"

namespace hemlock::preload {

/// pthread_mutex_lock and unlock are calls of the program's, so nothing here pairs as clang's analysis wants it.
template <class Lock>
struct in_place {
  static_assert(sizeof(Lock) <= sizeof(mutex_body::lock) && alignof(Lock) <= alignof(mutex_body));

  static Lock& lock_of(mutex_body& body) noexcept {
    return *std::launder(reinterpret_cast<Lock*>(body.lock));
  }

  static void acquire(mutex_body& body) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if (is_stale(body.age)) [[unlikely]]
      settle(body, nullptr);
    lock_of(body).lock();
  }

  static bool try_acquire(mutex_body& body) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if (is_stale(body.age)) [[unlikely]]
      repair(body);
    return !is_stale(body.age) && lock_of(body).try_lock();
  }

  static bool acquire_until(mutex_body& body,
                            const deadline& limit) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if (is_stale(body.age) && !settle(body, &limit)) [[unlikely]]
      return false;
    if constexpr (requires(Lock & lock) { lock.try_lock_within(limit); }) {
      return lock_of(body).try_lock_within(limit);
    } else {
      // A queue lock cannot leave its queue, so it does not enter one: it looks again and again, with naps.
      napper wait;
      while (!lock_of(body).try_lock()) {
        if (limit.passed()) return false;
        wait.nap();
      }
      return true;
    }
  }

  static void release(mutex_body& body) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if (is_stale(body.age)) [[unlikely]] {
      const word_guard held(repair_guard);
      if (is_stale(body.age)) return wipe(body);
    }
    lock_of(body).unlock();
  }

  /// True if the lock is not stale any more: it was free, and so nobody in this process has queued.
  static bool repair(mutex_body& body) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    const word_guard held(repair_guard);
    if (!is_stale(body.age)) return true;
    if (!lock_of(body).try_lock()) return false;
    wipe(body);
    return true;
  }

  /// Waits until the lock is not stale: until its holder, if it has one in this process, has released it.
  [[gnu::cold, gnu::noinline]] static bool settle(mutex_body& body, const deadline* limit) noexcept {
    napper wait;
    while (!repair(body)) {
      if (limit != nullptr && limit->passed()) return false;
      wait.nap();
    }
    return true;
  }

private:
  /// The holder, under the repair guard: free, and without the queue that fork left behind.
  static void wipe(mutex_body& body) noexcept {
    auto* const words = reinterpret_cast<std::atomic<std::uint64_t>*>(body.lock);
    words[1].store(0, std::memory_order_release);
    words[0].store(0, std::memory_order_release);
    make_current(body.age);
  }
};

}  // namespace hemlock::preload
