// C11's mtx_* and cnd_*: the same objects and functions under other names. glibc's own would reach past us to its
// internal ones, and a thrd_t thread would then lock a word that we never look at.
#include <threads.h>

#include <cerrno>

#include "preload/condition.hpp"
#include "preload/mutex.hpp"

namespace {

int as_c11(int error) noexcept {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

pthread_mutex_t* mutex_in(mtx_t* mutex) noexcept {
  static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && alignof(mtx_t) == alignof(pthread_mutex_t));
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}
pthread_cond_t* cond_in(cnd_t* cond) noexcept {
  static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t) && alignof(cnd_t) == alignof(pthread_cond_t));
  return reinterpret_cast<pthread_cond_t*>(cond);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int hemlock_mtx_init(mtx_t* mutex, int type) noexcept {
  // As glibc: plain and timed are the same, and what is not recursive is plain.
  const bool recursive = type == (mtx_plain | mtx_recursive) || type == (mtx_timed | mtx_recursive);
  pthread_mutexattr_t attributes;
  ::pthread_mutexattr_init(&attributes);
  ::pthread_mutexattr_settype(&attributes, recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return as_c11(hemlock_mutex_init(mutex_in(mutex), &attributes));
}
void hemlock_mtx_destroy(mtx_t* mutex) noexcept {
  hemlock_mutex_destroy(mutex_in(mutex));
}
int hemlock_mtx_lock(mtx_t* mutex) noexcept {
  return as_c11(hemlock_mutex_lock(mutex_in(mutex)));
}
int hemlock_mtx_trylock(mtx_t* mutex) noexcept {
  return as_c11(hemlock_mutex_trylock(mutex_in(mutex)));
}
int hemlock_mtx_timedlock(mtx_t* mutex, const timespec* when) noexcept {
  return as_c11(hemlock_mutex_timedlock(mutex_in(mutex), when));
}
int hemlock_mtx_unlock(mtx_t* mutex) noexcept {
  return as_c11(hemlock_mutex_unlock(mutex_in(mutex)));
}

int hemlock_cnd_init(cnd_t* cond) noexcept {
  return as_c11(hemlock_cond_init(cond_in(cond), nullptr));
}
void hemlock_cnd_destroy(cnd_t* cond) noexcept {
  hemlock_cond_destroy(cond_in(cond));
}
int hemlock_cnd_signal(cnd_t* cond) noexcept {
  return as_c11(hemlock_cond_signal(cond_in(cond)));
}
int hemlock_cnd_broadcast(cnd_t* cond) noexcept {
  return as_c11(hemlock_cond_broadcast(cond_in(cond)));
}
int hemlock_cnd_wait(cnd_t* cond, mtx_t* mutex) {
  return as_c11(hemlock_cond_wait(cond_in(cond), mutex_in(mutex)));
}
int hemlock_cnd_timedwait(cnd_t* cond, mtx_t* mutex, const timespec* when) {
  return as_c11(hemlock_cond_timedwait(cond_in(cond), mutex_in(mutex), when));
}
}
#pragma GCC visibility pop

// As glibc names them: `@@` is what a program built today asks for, `@` what an older one does.
asm(R"(
  .symver hemlock_mtx_init, mtx_init@@GLIBC_2.34
  .symver hemlock_mtx_init, mtx_init@GLIBC_2.28
  .symver hemlock_mtx_destroy, mtx_destroy@@GLIBC_2.34
  .symver hemlock_mtx_destroy, mtx_destroy@GLIBC_2.28
  .symver hemlock_mtx_lock, mtx_lock@@GLIBC_2.34
  .symver hemlock_mtx_lock, mtx_lock@GLIBC_2.28
  .symver hemlock_mtx_trylock, mtx_trylock@@GLIBC_2.34
  .symver hemlock_mtx_trylock, mtx_trylock@GLIBC_2.28
  .symver hemlock_mtx_timedlock, mtx_timedlock@@GLIBC_2.34
  .symver hemlock_mtx_timedlock, mtx_timedlock@GLIBC_2.28
  .symver hemlock_mtx_unlock, mtx_unlock@@GLIBC_2.34
  .symver hemlock_mtx_unlock, mtx_unlock@GLIBC_2.28
  .symver hemlock_cnd_init, cnd_init@@GLIBC_2.34
  .symver hemlock_cnd_init, cnd_init@GLIBC_2.28
  .symver hemlock_cnd_destroy, cnd_destroy@@GLIBC_2.34
  .symver hemlock_cnd_destroy, cnd_destroy@GLIBC_2.28
  .symver hemlock_cnd_signal, cnd_signal@@GLIBC_2.34
  .symver hemlock_cnd_signal, cnd_signal@GLIBC_2.28
  .symver hemlock_cnd_broadcast, cnd_broadcast@@GLIBC_2.34
  .symver hemlock_cnd_broadcast, cnd_broadcast@GLIBC_2.28
  .symver hemlock_cnd_wait, cnd_wait@@GLIBC_2.34
  .symver hemlock_cnd_wait, cnd_wait@GLIBC_2.28
  .symver hemlock_cnd_timedwait, cnd_timedwait@@GLIBC_2.34
  .symver hemlock_cnd_timedwait, cnd_timedwait@GLIBC_2.28
)");
