// What POSIX adds to a lock: the recursive and the error-checking kind, and the return codes of each.
// `Engine` has acquire, try_acquire, acquire_until and release on a mutex_body that is ours, and keeps_owner.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <utility>

#include "hemlock/platform/futex.hpp"
#include "preload/engine.hpp"
#include "preload/layout.hpp"
#include "preload/settings.hpp"
#include "preload/thread_id.hpp"

namespace hemlock::preload {

/// Whether the mutex is of a type whose unlock asks who calls.
inline bool checks_owner(int kind) noexcept {
  const int type = kind & kind::type_mask;
  return type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
}

/// Whatever HEMLOCK_LOCK chose. It keeps the owner of every mutex by itself, for the mistakes that glibc forgives.
struct chosen_lock {
  static constexpr bool keeps_owner = false;
  static const engine& chosen() noexcept { return *chosen_engine.load(std::memory_order_relaxed); }
  static void acquire(mutex_body& body) noexcept {
    chosen().acquire(body);
    note_owner(body);
  }
  static bool try_acquire(mutex_body& body) noexcept {
    if (!chosen().try_acquire(body)) return false;
    note_owner(body);
    return true;
  }
  static bool acquire_until(mutex_body& body, const deadline& limit) noexcept {
    if (!chosen().acquire_until(body, limit)) return false;
    note_owner(body);
    return true;
  }
  static void release(mutex_body& body) noexcept {
    if (!checks_owner(body.kind.load(std::memory_order_relaxed)) && !forget_owner(body)) return;
    chosen().release(body);
  }

private:
  static void note_owner(mutex_body& body) noexcept {
    if (!checks_owner(body.kind.load(std::memory_order_relaxed)))
      body.owner.store(thread_id(), std::memory_order_relaxed);
  }
  /// False if nobody holds it: with glibc, unlock then does nothing; our locks would not survive it.
  static bool forget_owner(mutex_body& body) noexcept {
    const int owner = body.owner.load(std::memory_order_relaxed);
    if (owner == 0) return false;
    if (owner != thread_id() && !chosen().any_thread_unlocks) [[unlikely]]
      warn_of_stranger(mutex_of(body), chosen().lock);
    body.owner.store(0, std::memory_order_relaxed);
    return true;
  }
  /// Once per process: the program unlocks in another thread than it locked in, and this lock cannot bear that.
  static void warn_of_stranger(const void* mutex, const char* lock) noexcept;
};

template <class Engine>
struct mutex_kinds {
  [[gnu::always_inline]] static int lock(mutex_body& body, int type) noexcept {
    return lock_by(body, type, EDEADLK, [&] {
      Engine::acquire(body);
      return 0;
    });
  }

  [[gnu::always_inline]] static int try_lock(mutex_body& body, int type) noexcept {
    return lock_by(body, type, EBUSY, [&] { return Engine::try_acquire(body) ? 0 : EBUSY; });
  }

  /// `when` is looked at only if the thread would block, as glibc does.
  static int lock_until(mutex_body& body, int type, bool realtime, const timespec& when) noexcept {
    return lock_by(body, type, EDEADLK, [&] {
      if (Engine::try_acquire(body)) return 0;
      if (when.tv_sec < 0) return ETIMEDOUT;
      if (when.tv_nsec < 0 || when.tv_nsec >= 1'000'000'000) return EINVAL;
      return Engine::acquire_until(body, deadline{when, realtime}) ? 0 : ETIMEDOUT;
    });
  }

  [[gnu::always_inline]] static int unlock(mutex_body& body, int type) noexcept {
    const int owner = body.owner.load(std::memory_order_relaxed);
    if (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK) {
      if ((owner & ~mutex_body::owes_a_wake) != thread_id()) return EPERM;
      if (type == PTHREAD_MUTEX_RECURSIVE && --body.count != 0) return 0;
      body.owner.store(0, std::memory_order_relaxed);
    } else if constexpr (Engine::keeps_owner) {
      body.owner.store(0, std::memory_order_relaxed);
    }
    if constexpr (Engine::keeps_owner) {
      if (owner < 0) [[unlikely]] {
        release_with_wake(body);
        return 0;
      }
    }
    Engine::release(body);
    return 0;
  }

  static int destroy(mutex_body& body) noexcept {
    if (!Engine::try_acquire(body)) return EBUSY;
    // Somebody in pthread_cond_wait will lock it again.
    const bool awaited = (body.cond_waits & ~mutex_body::was_counted) != 0;
    Engine::release(body);
    if (awaited) return EBUSY;
    body.kind.store(-1, std::memory_order_relaxed);
    return 0;
  }

  /// The holder owes a wake to the waiter it called.
  [[gnu::noinline]] static void release_with_wake(mutex_body& body) noexcept {
    const void* const word = std::exchange(body.wake_word(), nullptr);
    Engine::release(body);
    futex_wake(word, 1);  // only a name: its thread may have woken by itself, and be gone
  }

private:
  static bool is_owner(const mutex_body& body) noexcept { return body.is_owned_by(thread_id()); }

  template <class Take>
  [[gnu::always_inline]] static int lock_by(mutex_body& body, int type, int when_owned, Take take) noexcept {
    if (type == PTHREAD_MUTEX_RECURSIVE) {
      if (is_owner(body)) {
        if (body.count + 1 == 0) return EAGAIN;
        ++body.count;
        return 0;
      }
      if (const int refusal = take()) return refusal;
      body.owner.store(thread_id(), std::memory_order_relaxed);
      body.count = 1;
      return 0;
    }
    if (type == PTHREAD_MUTEX_ERRORCHECK) {
      if (is_owner(body)) return when_owned;
      if (const int refusal = take()) return refusal;
      body.owner.store(thread_id(), std::memory_order_relaxed);
      return 0;
    }
    const int refusal = take();
    if constexpr (Engine::keeps_owner)
      if (refusal == 0) body.owner.store(thread_id(), std::memory_order_relaxed);
    return refusal;
  }
};

}  // namespace hemlock::preload
