// hemlock.h, on top of the C++ headers.
#include <cerrno>
#include <optional>

#include "hemlock/fifo_mutex.hpp"
#include "hemlock/hemlock.h"
#include "hemlock/locks/condition.hpp"
#include "hemlock/mutex.hpp"

namespace {

using condition = hemlock::basic_condition<hemlock::mutex::world_type>;

/// The C type is a word, in which the C++ object lives: all zeroes is its initial state, nothing its destruction.
template <class Object, class Handle>
Object& in(Handle* handle) noexcept {
  static_assert(sizeof(Object) == sizeof(Handle) && alignof(Object) == alignof(Handle));
  return *reinterpret_cast<Object*>(handle);
}

/// Nothing if it is not a time that one can wait for.
std::optional<hemlock::deadline> limit(int clock, const timespec* time) noexcept {
  if ((clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME) || time == nullptr || time->tv_nsec < 0 ||
      time->tv_nsec >= 1'000'000'000)
    return std::nullopt;
  // The kernel refuses times before the epoch, which are over on either clock.
  const timespec point = time->tv_sec < 0 ? timespec{0, 0} : *time;
  return hemlock::deadline{point, clock == CLOCK_REALTIME};
}

template <class Object, class Handle>
int timed_lock(Handle* handle, int clock, const timespec* time) noexcept {
  const auto deadline = limit(clock, time);
  if (!deadline) return EINVAL;
  return in<Object>(handle).try_lock_within(*deadline) ? 0 : ETIMEDOUT;
}

constexpr auto never = [] { return false; };

}  // namespace

extern "C" {

void hemlock_mutex_lock(hemlock_mutex_t* mutex) {
  in<hemlock::mutex>(mutex).lock();
}
int hemlock_mutex_trylock(hemlock_mutex_t* mutex) {
  return in<hemlock::mutex>(mutex).try_lock() ? 0 : EBUSY;
}
int hemlock_mutex_timedlock(hemlock_mutex_t* mutex, int clock, const timespec* deadline) {
  return timed_lock<hemlock::mutex>(mutex, clock, deadline);
}
void hemlock_mutex_unlock(hemlock_mutex_t* mutex) {
  in<hemlock::mutex>(mutex).unlock();
}

void hemlock_fifo_mutex_lock(hemlock_fifo_mutex_t* mutex) {
  in<hemlock::fifo_mutex>(mutex).lock();
}
int hemlock_fifo_mutex_trylock(hemlock_fifo_mutex_t* mutex) {
  return in<hemlock::fifo_mutex>(mutex).try_lock() ? 0 : EBUSY;
}
int hemlock_fifo_mutex_timedlock(hemlock_fifo_mutex_t* mutex, int clock, const timespec* deadline) {
  return timed_lock<hemlock::fifo_mutex>(mutex, clock, deadline);
}
void hemlock_fifo_mutex_unlock(hemlock_fifo_mutex_t* mutex) {
  in<hemlock::fifo_mutex>(mutex).unlock();
}

void hemlock_cond_wait(hemlock_cond_t* cond, hemlock_mutex_t* mutex) {
  in<condition>(cond).wait(in<hemlock::mutex>(mutex), hemlock::no_limit{}, never);
}
int hemlock_cond_timedwait(hemlock_cond_t* cond, hemlock_mutex_t* mutex, int clock,
                           const timespec* deadline) {
  const auto until = limit(clock, deadline);
  if (!until) return EINVAL;
  return in<condition>(cond).wait(in<hemlock::mutex>(mutex), *until, never) ? 0 : ETIMEDOUT;
}
void hemlock_cond_signal(hemlock_cond_t* cond) {
  in<condition>(cond).notify_one();
}
void hemlock_cond_broadcast(hemlock_cond_t* cond) {
  in<condition>(cond).notify_all();
}

const char* hemlock_version() {
  return HEMLOCK_VERSION;
}
}
