/* hemlock.h from plain C: exclusion, trying, deadlines, conditions. Exits 0, or says what went wrong. */
#define _POSIX_C_SOURCE 200809L
#include "hemlock/hemlock.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define EXPECT(condition)                                              \
  do {                                                                 \
    if (!(condition)) {                                                \
      fprintf(stderr, "line %d: expected %s\n", __LINE__, #condition); \
      ++failures;                                                      \
    }                                                                  \
  } while (0)

static int failures;
static hemlock_mutex_t mutex = HEMLOCK_MUTEX_INITIALIZER;
static hemlock_fifo_mutex_t fifo = HEMLOCK_FIFO_MUTEX_INITIALIZER;
static hemlock_cond_t changed = HEMLOCK_COND_INITIALIZER;
static long counted, counted_in_order;
static int turn;

enum { threads = 4, rounds = 2000 };

static void* count(void* unused) {
  for (int i = 0; i < rounds; ++i) {
    hemlock_mutex_lock(&mutex);
    ++counted;
    hemlock_mutex_unlock(&mutex);
    hemlock_fifo_mutex_lock(&fifo);
    ++counted_in_order;
    hemlock_fifo_mutex_unlock(&fifo);
  }
  return unused;
}

static struct timespec in_milliseconds(clockid_t clock, long milliseconds) {
  struct timespec point;
  clock_gettime(clock, &point);
  point.tv_nsec += milliseconds * 1000000L;
  point.tv_sec += point.tv_nsec / 1000000000L;
  point.tv_nsec %= 1000000000L;
  return point;
}

static void* try_while_held(void* unused) {
  const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
  for (int i = 0; i < 2; ++i) {
    const struct timespec soon = in_milliseconds(clocks[i], 5);
    EXPECT(hemlock_mutex_timedlock(&mutex, clocks[i], &soon) == ETIMEDOUT);
    EXPECT(hemlock_fifo_mutex_timedlock(&fifo, clocks[i], &soon) == ETIMEDOUT);
  }
  const struct timespec wrong = {0, 1000000000L};
  const struct timespec before_the_epoch = {-1, 0};
  EXPECT(hemlock_mutex_timedlock(&mutex, CLOCK_MONOTONIC, &wrong) == EINVAL);
  EXPECT(hemlock_mutex_timedlock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &before_the_epoch) == EINVAL);
  EXPECT(hemlock_mutex_timedlock(&mutex, CLOCK_MONOTONIC, &before_the_epoch) == ETIMEDOUT);
  EXPECT(hemlock_mutex_trylock(&mutex) == EBUSY);
  EXPECT(hemlock_fifo_mutex_trylock(&fifo) == EBUSY);
  return unused;
}

static void* play(void* which) {
  const int mine = *(const int*)which;
  for (int i = 0; i < rounds; ++i) {
    hemlock_mutex_lock(&mutex);
    while (turn % 2 != mine) hemlock_cond_wait(&changed, &mutex);
    ++turn;
    if (i % 2 == 0)
      hemlock_cond_signal(&changed);
    else
      hemlock_cond_broadcast(&changed);
    hemlock_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t others[threads];
  for (int i = 0; i < threads; ++i) pthread_create(&others[i], NULL, count, NULL);
  for (int i = 0; i < threads; ++i) pthread_join(others[i], NULL);
  EXPECT(counted == (long)threads * rounds);
  EXPECT(counted_in_order == (long)threads * rounds);

  EXPECT(hemlock_mutex_trylock(&mutex) == 0);
  EXPECT(hemlock_fifo_mutex_trylock(&fifo) == 0);
  pthread_create(&others[0], NULL, try_while_held, NULL);
  pthread_join(others[0], NULL);
  hemlock_fifo_mutex_unlock(&fifo);
  const struct timespec soon = in_milliseconds(CLOCK_MONOTONIC, 5);
  EXPECT(hemlock_cond_timedwait(&changed, &mutex, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
  EXPECT(hemlock_mutex_trylock(&mutex) == EBUSY);
  hemlock_mutex_unlock(&mutex);

  static int players[] = {0, 1};
  for (int i = 0; i < 2; ++i) pthread_create(&others[i], NULL, play, &players[i]);
  for (int i = 0; i < 2; ++i) pthread_join(others[i], NULL);
  EXPECT(turn == 2 * rounds);

  EXPECT(strchr(hemlock_version(), '.') != NULL);
  EXPECT(mutex.opaque == 0 && fifo.opaque == 0 && changed.opaque == 0);
  return failures != 0;
}
