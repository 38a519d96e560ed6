/* Hemlock's mutex and condition variable for C: link with -lhemlock.
 *
 * Both fit in a word, are free when zero (so static and calloc'ed ones need no initialiser), and need no
 * destruction. Return values are as in POSIX: 0, or an error number. Process-private only.
 */
#ifndef HEMLOCK_HEMLOCK_H
#define HEMLOCK_HEMLOCK_H

#include <stdint.h>
#include <time.h>

struct timespec; /* strict C99 does not have it, and need not, unless it wants deadlines */

#ifdef __cplusplus
extern "C" {
#endif

/* Who has been first in the queue for 0.1 to 0.3 ms is handed the lock; until then, a running thread may overtake it. */
typedef struct hemlock_mutex {
  uintptr_t opaque;
} hemlock_mutex_t;

/* Strictly first come, first served. */
typedef struct hemlock_fifo_mutex {
  uintptr_t opaque;
} hemlock_fifo_mutex_t;

typedef struct hemlock_cond {
  uintptr_t opaque;
} hemlock_cond_t;

#define HEMLOCK_MUTEX_INITIALIZER \
  { 0 }
#define HEMLOCK_FIFO_MUTEX_INITIALIZER \
  { 0 }
#define HEMLOCK_COND_INITIALIZER \
  { 0 }

/* trylock: EBUSY if it is held.
 * timedlock: ETIMEDOUT at `deadline`, an absolute time on CLOCK_MONOTONIC or CLOCK_REALTIME; EINVAL for another
 * clock or a nanosecond field out of range. */
void hemlock_mutex_lock(hemlock_mutex_t* mutex);
int hemlock_mutex_trylock(hemlock_mutex_t* mutex);
int hemlock_mutex_timedlock(hemlock_mutex_t* mutex, int clock, const struct timespec* deadline);
void hemlock_mutex_unlock(hemlock_mutex_t* mutex);

void hemlock_fifo_mutex_lock(hemlock_fifo_mutex_t* mutex);
int hemlock_fifo_mutex_trylock(hemlock_fifo_mutex_t* mutex);
int hemlock_fifo_mutex_timedlock(hemlock_fifo_mutex_t* mutex, int clock, const struct timespec* deadline);
void hemlock_fifo_mutex_unlock(hemlock_fifo_mutex_t* mutex);

/* All threads that wait on a condition at a time do so with the same mutex. There are no spurious wake-ups. */
void hemlock_cond_wait(hemlock_cond_t* condition, hemlock_mutex_t* mutex);
int hemlock_cond_timedwait(hemlock_cond_t* condition, hemlock_mutex_t* mutex, int clock,
                           const struct timespec* deadline);
void hemlock_cond_signal(hemlock_cond_t* condition);
void hemlock_cond_broadcast(hemlock_cond_t* condition);

/* The library's version, as "major.minor.patch". */
const char* hemlock_version(void);

#ifdef __cplusplus
}
#endif

#endif
