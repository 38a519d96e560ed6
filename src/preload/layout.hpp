// What lives inside a pthread_mutex_t and a pthread_cond_t, and whose they are.
//
// The fields that glibc's own mutexes have stay where debuggers look for them: `count`, `owner` and `kind`. The
// lock takes the sixteen bytes that glibc keeps for robust mutexes, which are never ours, next to `kind`, so that
// an uncontended lock and unlock touch one cache line. All zero is a free lock and a condition variable without
// waiters, which is what the static initialisers and memory from calloc give.
#pragma once

#include <pthread.h>

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>

namespace hemlock::preload {

/// pthread_mutex_t::__kind: the type in two bits, then what makes a mutex glibc's.
namespace kind {
inline constexpr int type_mask = 3;
inline constexpr int robust = 0x10;
inline constexpr int inherits = 0x20;
inline constexpr int protects = 0x40;
inline constexpr int shared = 0x80;
inline constexpr int elision = 0x300;  ///< hints to glibc that mean nothing to us

/// Normal, recursive, error-checking and adaptive ones. A destroyed mutex (-1) is not: glibc says what it says.
constexpr bool is_ours(int kind) noexcept {
  return (kind & ~(type_mask | elision)) == 0;
}
}  // namespace kind

struct mutex_body {
  std::uint32_t recorder_word;  ///< the profiler's: where this mutex's record is
  std::uint32_t count;          ///< recursive: how often the owner holds it; the owner's to write
  std::atomic<int>
      owner;  ///< the holder's thread id, and perhaps `owes_a_wake`; the holder's to write. Always
              ///< kept for recursive and error-checking mutexes, for others with the default lock
  std::uint32_t
      cond_waits;  ///< waits on condition variables that will come back for it; the holder's to write.
                   ///< glibc counts such waits and holders here, and refuses to destroy the mutex.
                   ///< With HEMLOCK_STATS, `was_counted` beside them
  std::atomic<int> kind;
  std::atomic<std::uint32_t>
      age;  ///< the fork generation in which this lock's queue was last known good: fork.hpp
  alignas(8) unsigned char lock[16];

  /// In `owner`: the holder has called a waiter of a condition variable, who would only wake to find this mutex
  /// held. It is woken when the mutex is released; wake_word says where it sleeps.
  static constexpr int owes_a_wake = INT_MIN;
  /// In `cond_waits`: the statistics have seen this mutex.
  static constexpr std::uint32_t was_counted = 1U << 31;
  bool is_owned_by(int thread) const noexcept {
    // Relaxed: only that thread writes its id there, so a match cannot be out of date.
    return (owner.load(std::memory_order_relaxed) & ~owes_a_wake) == thread;
  }
  /// Beside a lock of eight bytes. The holder's to read and write, while it owes a wake.
  const void*& wake_word() noexcept { return *reinterpret_cast<const void**>(lock + 8); }
};

static_assert(sizeof(mutex_body) == 40 && sizeof(mutex_body) <= sizeof(pthread_mutex_t));
static_assert(alignof(mutex_body) <= alignof(pthread_mutex_t));
static_assert(offsetof(mutex_body, count) == offsetof(pthread_mutex_t, __data.__count));
static_assert(offsetof(mutex_body, owner) == offsetof(pthread_mutex_t, __data.__owner));
static_assert(offsetof(mutex_body, cond_waits) == offsetof(pthread_mutex_t, __data.__nusers));
static_assert(offsetof(mutex_body, kind) == offsetof(pthread_mutex_t, __data.__kind));

inline mutex_body& body_of(pthread_mutex_t* mutex) noexcept {
  return *reinterpret_cast<mutex_body*>(mutex);
}
inline pthread_mutex_t* mutex_of(mutex_body& body) noexcept {
  return reinterpret_cast<pthread_mutex_t*>(&body);
}

struct cond_waiter;

struct cond_body {
  std::atomic<cond_waiter*> first;   ///< written with `guard` held
  cond_waiter* last;                 ///< likewise
  std::atomic<std::uint32_t> guard;  ///< word_lock.hpp
  std::atomic<std::uint32_t> age;    ///< as a mutex's
  std::uint32_t unused[3];
  std::atomic<std::uint32_t> flags;  ///< glibc's: process-shared, monotonic clock
  cond_waiter* called;               ///< those who were signalled and may still look here; under `guard`

  static constexpr std::uint32_t shared = 1;
  static constexpr std::uint32_t monotonic = 2;
};

static_assert(sizeof(cond_body) == 48 && sizeof(cond_body) <= sizeof(pthread_cond_t));
static_assert(offsetof(cond_body, flags) == offsetof(pthread_cond_t, __data.__wrefs));

inline cond_body& body_of(pthread_cond_t* cond) noexcept {
  return *reinterpret_cast<cond_body*>(cond);
}

}  // namespace hemlock::preload
