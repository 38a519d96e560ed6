// A glibc condition variable with a mutex of ours. glibc would unlock and lock that mutex by itself, so it is given
// another one: the waiter holds the go-between, a glibc mutex, from before it unlocks its own until glibc has noted
// it as a waiter; and while there are such waiters, signals from this process take the go-between, so none is sent
// too early. (Signals from other processes cannot be meant: our mutexes are never process-shared.)
#pragma once

#include <pthread.h>

#include <atomic>

#include "preload/glibc.hpp"
#include "preload/mutex.hpp"

namespace hemlock::preload::go_between {

inline constinit pthread_mutex_t mutex =
    PTHREAD_MUTEX_INITIALIZER;  // glibc's: our own functions never see it
inline constinit std::atomic<unsigned> waits{0};

inline void leave(void* own) {
  glibc::mutex_unlock(&mutex);
  retake_after_wait(static_cast<pthread_mutex_t*>(own));
  waits.fetch_sub(1, std::memory_order_relaxed);
}

/// `sleep` waits with the glibc mutex that it is given. A cancellation point.
template <class Sleep>
int wait(pthread_mutex_t* own, Sleep sleep) {
  // Seen by whoever locks `own` after us, as every correct signaller does.
  waits.fetch_add(1, std::memory_order_relaxed);
  glibc::mutex_lock(&mutex);
  if (const int error = release_for_wait(own)) {
    glibc::mutex_unlock(&mutex);
    waits.fetch_sub(1, std::memory_order_relaxed);
    return error;
  }
  int result;
  pthread_cleanup_push(leave, own);
  result = sleep(&mutex);
  pthread_cleanup_pop(1);
  return result;
}

template <class Signal>
int call(Signal signal) noexcept {
  if (waits.load(std::memory_order_relaxed) == 0) return signal();
  glibc::mutex_lock(&mutex);
  const int result = signal();
  glibc::mutex_unlock(&mutex);
  return result;
}

/// In a child of fork(): its holder and its waiters do not exist here.
inline void start_anew() noexcept {
  mutex = PTHREAD_MUTEX_INITIALIZER;
  waits.store(0, std::memory_order_relaxed);
}

}  // namespace hemlock::preload::go_between
