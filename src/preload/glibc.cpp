#include "preload/glibc.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>

#include "preload/message.hpp"

namespace hemlock::preload::glibc {
namespace {

/// A function of the next object that has it. Without a version: other tools' functions have none, and of glibc's this
/// finds the newest, which is what a program built today has.
template <class Signature>
class next_function {
public:
  explicit constexpr next_function(const char* name) noexcept : name_(name) {}

  Signature* get() noexcept {
    void* known = known_.load(std::memory_order_relaxed);  // the function's code needs no ordering
    if (known == nullptr) [[unlikely]]
      known = look_up();
    return reinterpret_cast<Signature*>(known);
  }

private:
  [[gnu::noinline, gnu::cold]] void* look_up() noexcept {
    void* const found = ::dlsym(RTLD_NEXT, name_);
    if (found == nullptr) {
      say("this C library has no %s, which the program needs now", name_);
      std::abort();
    }
    known_.store(found, std::memory_order_relaxed);  // every thread finds the same
    return found;
  }

  const char* name_;
  std::atomic<void*> known_{nullptr};
};

constinit next_function<decltype(mutex_init)> next_init{"pthread_mutex_init"};
constinit next_function<decltype(mutex_destroy)> next_destroy{"pthread_mutex_destroy"};
constinit next_function<decltype(mutex_lock)> next_lock{"pthread_mutex_lock"};
constinit next_function<decltype(mutex_trylock)> next_trylock{"pthread_mutex_trylock"};
constinit next_function<decltype(mutex_timedlock)> next_timedlock{"pthread_mutex_timedlock"};
constinit next_function<decltype(mutex_clocklock)> next_clocklock{"pthread_mutex_clocklock"};
constinit next_function<decltype(mutex_unlock)> next_unlock{"pthread_mutex_unlock"};
constinit next_function<decltype(mutex_consistent)> next_consistent{"pthread_mutex_consistent"};
constinit next_function<decltype(mutex_getprioceiling)> next_getprioceiling{"pthread_mutex_getprioceiling"};
constinit next_function<decltype(mutex_setprioceiling)> next_setprioceiling{"pthread_mutex_setprioceiling"};
constinit next_function<decltype(cond_init)> next_cond_init{"pthread_cond_init"};
constinit next_function<decltype(cond_destroy)> next_cond_destroy{"pthread_cond_destroy"};
constinit next_function<decltype(cond_signal)> next_cond_signal{"pthread_cond_signal"};
constinit next_function<decltype(cond_broadcast)> next_cond_broadcast{"pthread_cond_broadcast"};
constinit next_function<decltype(cond_wait)> next_cond_wait{"pthread_cond_wait"};
constinit next_function<decltype(cond_timedwait)> next_cond_timedwait{"pthread_cond_timedwait"};
constinit next_function<decltype(cond_clockwait)> next_cond_clockwait{"pthread_cond_clockwait"};

}  // namespace

int mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  return next_init.get()(mutex, attributes);
}
int mutex_destroy(pthread_mutex_t* mutex) noexcept {
  return next_destroy.get()(mutex);
}
int mutex_lock(pthread_mutex_t* mutex) noexcept {
  return next_lock.get()(mutex);
}
int mutex_trylock(pthread_mutex_t* mutex) noexcept {
  return next_trylock.get()(mutex);
}
int mutex_timedlock(pthread_mutex_t* mutex, const timespec* when) noexcept {
  return next_timedlock.get()(mutex, when);
}
int mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* when) noexcept {
  return next_clocklock.get()(mutex, clock, when);
}
int mutex_unlock(pthread_mutex_t* mutex) noexcept {
  return next_unlock.get()(mutex);
}
int mutex_consistent(pthread_mutex_t* mutex) noexcept {
  return next_consistent.get()(mutex);
}
int mutex_getprioceiling(const pthread_mutex_t* mutex, int* ceiling) noexcept {
  return next_getprioceiling.get()(mutex, ceiling);
}
int mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* old_ceiling) noexcept {
  return next_setprioceiling.get()(mutex, ceiling, old_ceiling);
}

int cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) noexcept {
  return next_cond_init.get()(cond, attributes);
}
int cond_destroy(pthread_cond_t* cond) noexcept {
  return next_cond_destroy.get()(cond);
}
int cond_signal(pthread_cond_t* cond) noexcept {
  return next_cond_signal.get()(cond);
}
int cond_broadcast(pthread_cond_t* cond) noexcept {
  return next_cond_broadcast.get()(cond);
}
int cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  return next_cond_wait.get()(cond, mutex);
}
int cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* when) {
  return next_cond_timedwait.get()(cond, mutex, when);
}
int cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock, const timespec* when) {
  return next_cond_clockwait.get()(cond, mutex, clock, when);
}

}  // namespace hemlock::preload::glibc
