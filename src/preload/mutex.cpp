// pthread_mutex_lock, trylock, unlock: the three that matter for speed.
#include "preload/mutex.hpp"

#include "preload/by_mode.hpp"
#include "preload/default_lock.hpp"
#include "preload/glibc.hpp"
#include "preload/hooks.hpp"
#include "preload/statistics.hpp"

namespace hemlock::preload {
namespace {

using by_default = mutex_kinds<hooked<default_lock>>;

/// A normal mutex, the default lock, nothing to count.
[[gnu::always_inline]] inline bool is_plain(int kind) noexcept {
  return ((static_cast<std::uint32_t>(kind) & ~static_cast<std::uint32_t>(kind::elision)) |
          current_mode.load(std::memory_order_relaxed)) == 0;
}
/// As above, but of any of our kinds.
[[gnu::always_inline]] inline bool is_simple(int kind) noexcept {
  return (static_cast<std::uint32_t>(kind & ~(kind::elision | kind::type_mask)) |
          current_mode.load(std::memory_order_relaxed)) == 0;
}

[[gnu::noinline]] int lock_otherwise(mutex_body& body) noexcept {
  if (is_foreign(body, mode_now())) {
    statistics::note(statistics::passed_calls);
    return glibc::mutex_lock(mutex_of(body));
  }
  const int type = body.kind.load(std::memory_order_relaxed) & kind::type_mask;
  return by_mode([&]<class Kinds>(Kinds) { return Kinds::lock(body, type); });
}

[[gnu::noinline]] int try_lock_otherwise(mutex_body& body) noexcept {
  if (is_foreign(body, mode_now())) {
    statistics::note(statistics::passed_calls);
    return glibc::mutex_trylock(mutex_of(body));
  }
  const int type = body.kind.load(std::memory_order_relaxed) & kind::type_mask;
  return by_mode([&]<class Kinds>(Kinds) { return Kinds::try_lock(body, type); });
}

[[gnu::noinline]] int unlock_otherwise(mutex_body& body) noexcept {
  if (is_foreign(body, mode_now())) {
    statistics::note(statistics::passed_calls);
    return glibc::mutex_unlock(mutex_of(body));
  }
  const int type = body.kind.load(std::memory_order_relaxed) & kind::type_mask;
  return by_mode([&]<class Kinds>(Kinds) { return Kinds::unlock(body, type); });
}

// What pthread_mutex_lock and unlock jump to when a few instructions were not enough.

[[gnu::noinline]] int lock_slowly(mutex_body& body) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
  default_lock::place::lock_of(body).lock();
  body.owner.store(thread_id(), std::memory_order_relaxed);
  return 0;
}
[[gnu::noinline]] int unlock_slowly(mutex_body& body) noexcept HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
  default_lock::place::lock_of(body).unlock();
  return 0;
}
[[gnu::noinline]] int unlock_with_wake(mutex_body& body) noexcept {
  by_default::release_with_wake(body);
  return 0;
}

[[gnu::noinline]] int lock_kind_slowly(mutex_body& body) noexcept {
  return by_default::lock(body, body.kind.load(std::memory_order_relaxed) & kind::type_mask);
}

[[gnu::noinline]] int lock_by_kind(mutex_body& body) noexcept {
  const int kind = body.kind.load(std::memory_order_relaxed);
  if (!is_simple(kind)) return lock_otherwise(body);
  if constexpr (hooks::recording) return lock_kind_slowly(body);
  const int me = known_thread_id;
  // Held by us already, or not to be had at once: the rules are in mutex_kinds.
  if (me == 0 || body.is_owned_by(me) || !default_lock::acquire_at_once(body)) return lock_kind_slowly(body);
  body.owner.store(me, std::memory_order_relaxed);
  body.count = 1;  // read in recursive mutexes only
  return 0;
}

[[gnu::noinline]] int unlock_kind_slowly(mutex_body& body) noexcept {
  return by_default::unlock(body, body.kind.load(std::memory_order_relaxed) & kind::type_mask);
}

[[gnu::noinline]] int unlock_by_kind(mutex_body& body) noexcept {
  const int kind = body.kind.load(std::memory_order_relaxed);
  if (!is_simple(kind)) return unlock_otherwise(body);
  if constexpr (hooks::recording) return unlock_kind_slowly(body);
  // Ours, once, without a wake to send, and nobody waits: else as above.
  const int me = known_thread_id;
  if (me == 0 || body.owner.load(std::memory_order_relaxed) != me || body.count != 1)
    return unlock_kind_slowly(body);
  body.owner.store(0, std::memory_order_relaxed);
  body.count = 0;
  return default_lock::release_at_once(body) ? 0 : unlock_slowly(body);
}

// A library that records: the usual case is again a few instructions without a stack frame.
[[gnu::noinline, maybe_unused]] int tell_and_return(mutex_body& body) noexcept {
  hooks::acquired(body);
  return 0;
}
[[gnu::noinline, maybe_unused]] int lock_and_tell(mutex_body& body) noexcept {
  return by_default::lock(body, PTHREAD_MUTEX_NORMAL);
}
[[gnu::noinline, maybe_unused]] int tell_and_unlock(mutex_body& body) noexcept {
  return by_default::unlock(body, PTHREAD_MUTEX_NORMAL);
}
[[gnu::always_inline, maybe_unused]] inline int lock_recorded(mutex_body& body) noexcept {
  const int me = known_thread_id;
  if (me == 0 || !default_lock::acquire_at_once(body)) [[unlikely]]
    return lock_and_tell(body);
  body.owner.store(me, std::memory_order_relaxed);
  return hooks::acquired_simply(body) ? 0 : tell_and_return(body);
}
[[gnu::always_inline, maybe_unused]] inline int unlock_recorded(mutex_body& body) noexcept {
  if (body.owner.load(std::memory_order_relaxed) < 0 || !hooks::releasing_simply(body)) [[unlikely]]
    return tell_and_unlock(body);
  body.owner.store(0, std::memory_order_relaxed);
  if (!default_lock::release_at_once(body)) [[unlikely]]
    return unlock_slowly(body);
  return 0;
}

}  // namespace

int release_for_wait(pthread_mutex_t* mutex) noexcept {
  mutex_body& body = body_of(mutex);
  // glibc notes the owner in every kind of mutex, we in those that must know.
  const bool owner_is_known =
      is_foreign(body, mode_now()) || checks_owner(body.kind.load(std::memory_order_relaxed));
  if (owner_is_known && !body.is_owned_by(thread_id())) return hemlock_mutex_unlock(mutex);
  ++body.cond_waits;
  return hemlock_mutex_unlock(mutex);
}

bool wake_on_release(pthread_mutex_t* mutex, const void* word) noexcept {
  mutex_body& body = body_of(mutex);
  const int me = thread_id();
  // Not if we owe one already: there is room for one.
  if ((mode_now() & ~careful_mode) != default_mode ||
      !kind::is_ours(body.kind.load(std::memory_order_relaxed)) ||
      body.owner.load(std::memory_order_relaxed) != me)
    return false;
  body.wake_word() = word;
  body.owner.store(me | mutex_body::owes_a_wake, std::memory_order_relaxed);
  return true;
}

int retake_after_wait(pthread_mutex_t* mutex) noexcept {
  const int result = hemlock_mutex_lock(mutex);
  if (result == 0 || result == EOWNERDEAD) --body_of(mutex).cond_waits;
  return result;
}

}  // namespace hemlock::preload

using namespace hemlock::preload;

int hemlock_mutex_lock(pthread_mutex_t* mutex) noexcept {
  mutex_body& body = body_of(mutex);
  if (!is_plain(body.kind.load(std::memory_order_relaxed))) [[unlikely]]
    return lock_by_kind(body);
  if constexpr (hooks::recording) return lock_recorded(body);
  const int me = known_thread_id;
  if (me == 0 || !default_lock::acquire_at_once(body)) [[unlikely]]
    return lock_slowly(body);
  body.owner.store(me, std::memory_order_relaxed);
  return 0;
}

int hemlock_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  mutex_body& body = body_of(mutex);
  const int kind = body.kind.load(std::memory_order_relaxed);
  if (is_simple(kind)) [[likely]]
    return by_default::try_lock(body, kind & kind::type_mask);
  return try_lock_otherwise(body);
}

int hemlock_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  mutex_body& body = body_of(mutex);
  if (!is_plain(body.kind.load(std::memory_order_relaxed))) [[unlikely]]
    return unlock_by_kind(body);
  if constexpr (hooks::recording) return unlock_recorded(body);
  const int owner = body.owner.load(std::memory_order_relaxed);
  body.owner.store(0, std::memory_order_relaxed);
  if (owner < 0) [[unlikely]]
    return unlock_with_wake(body);
  if (!default_lock::release_at_once(body)) [[unlikely]]
    return unlock_slowly(body);
  return 0;
}

// As glibc names them: `@@` is what a program built today asks for, `@` what an older one does.
asm(R"(
  .symver hemlock_mutex_lock, pthread_mutex_lock@@GLIBC_2.2.5
  .symver hemlock_mutex_unlock, pthread_mutex_unlock@@GLIBC_2.2.5
  .symver hemlock_mutex_trylock, pthread_mutex_trylock@@GLIBC_2.34
  .symver hemlock_mutex_trylock, pthread_mutex_trylock@GLIBC_2.2.5
)");
