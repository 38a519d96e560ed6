// The mutex functions that programs call rarely: init, destroy, with a time limit, robust and priority ones.
#include "preload/by_mode.hpp"
#include "preload/fork.hpp"
#include "preload/glibc.hpp"
#include "preload/hooks.hpp"
#include "preload/message.hpp"
#include "preload/mutex.hpp"
#include "preload/statistics.hpp"

#include <cstring>

namespace hemlock::preload {
namespace {

/// What glibc writes into `__kind` for these attributes if the mutex is ours, else -1.
int our_kind(const pthread_mutexattr_t* attributes) noexcept {
  if (attributes == nullptr) return PTHREAD_MUTEX_DEFAULT;
  int shared = PTHREAD_PROCESS_PRIVATE;
  int robust = PTHREAD_MUTEX_STALLED;
  int protocol = PTHREAD_PRIO_NONE;
  int type = PTHREAD_MUTEX_DEFAULT;
  ::pthread_mutexattr_getpshared(attributes, &shared);
  ::pthread_mutexattr_getrobust(attributes, &robust);
  ::pthread_mutexattr_getprotocol(attributes, &protocol);
  ::pthread_mutexattr_gettype(attributes, &type);
  if (shared != PTHREAD_PROCESS_PRIVATE || robust != PTHREAD_MUTEX_STALLED || protocol != PTHREAD_PRIO_NONE)
    return -1;
  if (!kind::is_ours(type)) return -1;
  // glibc keeps there whether a type was set at all, and copies that; nobody reads it but who compares.
  int raw;
  static_assert(sizeof raw == sizeof(pthread_mutexattr_t));
  std::memcpy(&raw, attributes, sizeof raw);
  return type | (raw & kind::elision);
}

void note_foreign(int kind) noexcept {
  if ((kind & kind::robust) != 0) return statistics::note(statistics::passed_robust);
  if ((kind & kind::inherits) != 0) return statistics::note(statistics::passed_inherits);
  if ((kind & kind::protects) != 0) return statistics::note(statistics::passed_protects);
  statistics::note(statistics::passed_shared);
}

int lock_until(pthread_mutex_t* mutex, clockid_t clock, const timespec* when) noexcept {
  mutex_body& body = body_of(mutex);
  const int type = body.kind.load(std::memory_order_relaxed) & kind::type_mask;
  const bool realtime = clock == CLOCK_REALTIME;
  return by_mode([&]<class Kinds>(Kinds) { return Kinds::lock_until(body, type, realtime, *when); });
}

}  // namespace

void chosen_lock::warn_of_stranger(const void* mutex, const char* lock) noexcept {
  static constinit std::atomic<bool> told{false};
  // In a child of fork() the owner's id is that of its parent.
  if (fork_generation.load(std::memory_order_relaxed) != 0 || told.exchange(true, std::memory_order_relaxed))
    return;
  say("mutex %p is unlocked by another thread than locked it, and may hang: %s cannot do that; mutex, fifo, "
      "ticket, tas "
      "and ttas can",
      mutex, lock);
}

}  // namespace hemlock::preload

using namespace hemlock::preload;

int hemlock_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  const int kind = our_kind(attributes);
  if (kind < 0 || mode_now() == glibc_mode) {
    const int result = glibc::mutex_init(mutex, attributes);
    if (result == 0 && kind < 0) note_foreign(body_of(mutex).kind.load(std::memory_order_relaxed));
    return result;
  }
  std::memset(mutex, 0, sizeof *mutex);
  body_of(mutex).kind.store(kind, std::memory_order_relaxed);
  return 0;
}

int hemlock_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  mutex_body& body = body_of(mutex);
  if (is_foreign(body, mode_now())) return glibc::mutex_destroy(mutex);
  return by_mode<unhooked>([&]<class Kinds>(Kinds) { return Kinds::destroy(body); });
}

int hemlock_mutex_timedlock(pthread_mutex_t* mutex, const timespec* when) noexcept {
  if (is_foreign(body_of(mutex), mode_now())) {
    statistics::note(statistics::passed_calls);
    return glibc::mutex_timedlock(mutex, when);
  }
  return lock_until(mutex, CLOCK_REALTIME, when);
}

int hemlock_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* when) noexcept {
  if (is_foreign(body_of(mutex), mode_now())) {
    statistics::note(statistics::passed_calls);
    return glibc::mutex_clocklock(mutex, clock, when);
  }
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return lock_until(mutex, clock, when);
}

// These three are for mutexes that are never ours, and glibc says so of ours, too: it looks at `__kind` first.
#pragma GCC visibility push(default)
extern "C" {
int hemlock_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  return glibc::mutex_consistent(mutex);
}
int hemlock_mutex_getprioceiling(const pthread_mutex_t* mutex, int* ceiling) noexcept {
  return glibc::mutex_getprioceiling(mutex, ceiling);
}
int hemlock_mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* old_ceiling) noexcept {
  return glibc::mutex_setprioceiling(mutex, ceiling, old_ceiling);
}
}
#pragma GCC visibility pop

// As glibc names them: `@@` is what a program built today asks for, `@` what an older one does.
asm(R"(
  .symver hemlock_mutex_init, pthread_mutex_init@@GLIBC_2.2.5
  .symver hemlock_mutex_destroy, pthread_mutex_destroy@@GLIBC_2.2.5
  .symver hemlock_mutex_timedlock, pthread_mutex_timedlock@@GLIBC_2.34
  .symver hemlock_mutex_timedlock, pthread_mutex_timedlock@GLIBC_2.2.5
  .symver hemlock_mutex_clocklock, pthread_mutex_clocklock@@GLIBC_2.34
  .symver hemlock_mutex_clocklock, pthread_mutex_clocklock@GLIBC_2.30
  .symver hemlock_mutex_consistent, pthread_mutex_consistent@@GLIBC_2.34
  .symver hemlock_mutex_consistent, pthread_mutex_consistent@GLIBC_2.12
  .symver hemlock_mutex_consistent, pthread_mutex_consistent_np@GLIBC_2.4
  .symver hemlock_mutex_getprioceiling, pthread_mutex_getprioceiling@@GLIBC_2.34
  .symver hemlock_mutex_getprioceiling, pthread_mutex_getprioceiling@GLIBC_2.4
  .symver hemlock_mutex_setprioceiling, pthread_mutex_setprioceiling@@GLIBC_2.34
  .symver hemlock_mutex_setprioceiling, pthread_mutex_setprioceiling@GLIBC_2.4
)");
