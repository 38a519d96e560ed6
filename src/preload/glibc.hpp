// The functions behind ours: what RTLD_NEXT finds, glibc's own unless another tool stands between.
//
// Each is looked up when it is first needed, so a missing one harms nobody who does not call it.
#pragma once

#include <pthread.h>

namespace hemlock::preload::glibc {

int mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept;
int mutex_destroy(pthread_mutex_t* mutex) noexcept;
int mutex_lock(pthread_mutex_t* mutex) noexcept;
int mutex_trylock(pthread_mutex_t* mutex) noexcept;
int mutex_timedlock(pthread_mutex_t* mutex, const timespec* when) noexcept;
int mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* when) noexcept;
int mutex_unlock(pthread_mutex_t* mutex) noexcept;
int mutex_consistent(pthread_mutex_t* mutex) noexcept;
int mutex_getprioceiling(const pthread_mutex_t* mutex, int* ceiling) noexcept;
int mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* old_ceiling) noexcept;

int cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) noexcept;
int cond_destroy(pthread_cond_t* cond) noexcept;
int cond_signal(pthread_cond_t* cond) noexcept;
int cond_broadcast(pthread_cond_t* cond) noexcept;
// These are cancellation points, so they may leave by unwinding.
int cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex);
int cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* when);
int cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock, const timespec* when);

}  // namespace hemlock::preload::glibc
