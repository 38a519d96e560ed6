// storm RUNS: 64 threads that lock, wait, are called, time out, are cancelled and end, all at once, and again. Ends
// with the number of runs; a lost wake-up or a lock that its owner took along hangs instead, and the caller's time
// limit ends it.
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int threads = 64;

struct scene {
  pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  int tokens = 0;
  int taken = 0;
  std::atomic<int> next{0};
};

void unlock(void* mutex) {
  pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex));
}

void wait_for_token(scene& here) {
  pthread_mutex_lock(&here.normal);
  pthread_cleanup_push(unlock, &here.normal);
  while (here.tokens == 0) pthread_cond_wait(&here.changed, &here.normal);
  --here.tokens;
  ++here.taken;
  pthread_cleanup_pop(1);
}

void wait_in_vain(scene& here, pthread_mutex_t& mutex) {
  timespec when;
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_nsec += 300000;
  if (when.tv_nsec >= 1000000000) {
    when.tv_nsec -= 1000000000;
    ++when.tv_sec;
  }
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cond_timedwait(&here.never, &mutex, &when);
  pthread_cleanup_pop(1);
}

void wait_for_ever(scene& here) {  // until cancelled
  pthread_mutex_lock(&here.checking);
  pthread_cleanup_push(unlock, &here.checking);
  while (true) pthread_cond_wait(&here.changed, &here.checking);
  pthread_cleanup_pop(1);
}

void* act(void* argument) {
  scene& here = *static_cast<scene*>(argument);
  const int number = here.next.fetch_add(1);
  for (int round = 0; round < 20; ++round) {
    pthread_mutex_lock(&here.recursive);
    pthread_mutex_lock(&here.recursive);
    pthread_mutex_unlock(&here.recursive);
    pthread_mutex_unlock(&here.recursive);
    pthread_mutex_lock(&here.normal);
    ++here.tokens;
    pthread_cond_signal(&here.changed);
    pthread_mutex_unlock(&here.normal);
    if (round % 5 == 0) wait_for_token(here);
    if (round % 7 == number % 7) wait_in_vain(here, here.recursive);
  }
  return nullptr;
}

void* act_until_cancelled(void* argument) {
  scene& here = *static_cast<scene*>(argument);
  pthread_cond_t own = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&here.recursive);
  pthread_mutex_unlock(&here.recursive);
  pthread_mutex_lock(&here.checking);
  pthread_cond_broadcast(&own);
  pthread_mutex_unlock(&here.checking);
  wait_for_ever(here);
  return nullptr;
}

/// Everybody ends, and every mutex is free after. The cancelled wait on a condition variable of their own mutex, so
/// that no token's signal can reach them.
bool run_once() {
  scene here;
  scene other;
  pthread_t ids[threads];
  for (int t = 0; t < threads; ++t)
    pthread_create(&ids[t], nullptr, t % 4 == 3 ? act_until_cancelled : act, t % 4 == 3 ? &other : &here);
  for (int t = 3; t < threads; t += 4) {
    if (t % 8 == 3) sched_yield();
    pthread_cancel(ids[t]);
  }
  for (int t = 0; t < threads; ++t) {
    void* result;
    pthread_join(ids[t], &result);
    if ((t % 4 == 3) != (result == PTHREAD_CANCELED)) return false;
  }
  for (scene* one : {&here, &other}) {
    for (pthread_mutex_t* mutex : {&one->normal, &one->recursive, &one->checking})
      if (pthread_mutex_trylock(mutex) != 0 || pthread_mutex_unlock(mutex) != 0 ||
          pthread_mutex_destroy(mutex) != 0)
        return false;
    pthread_cond_destroy(&one->changed);
    pthread_cond_destroy(&one->never);
  }
  return here.taken == 48 * 4 && here.tokens == 48 * 16;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 100;
  for (int run = 0; run < runs; ++run) {
    if (!run_once()) {
      std::printf("run %d: a thread ended otherwise than it should, or a mutex was left held\n", run);
      return 1;
    }
  }
  std::printf("%d runs\n", runs);
}
