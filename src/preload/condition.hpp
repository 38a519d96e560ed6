// The condition-variable functions as the rest of the library calls them.
#pragma once

#include <pthread.h>

#pragma GCC visibility push(default)
extern "C" {
int hemlock_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) noexcept;
int hemlock_cond_destroy(pthread_cond_t* cond) noexcept;
int hemlock_cond_signal(pthread_cond_t* cond) noexcept;
int hemlock_cond_broadcast(pthread_cond_t* cond) noexcept;
int hemlock_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex);
int hemlock_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* when);
int hemlock_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* when);
}
#pragma GCC visibility pop
