// no_allocation: fails if malloc is called by a thread while it is inside a mutex or condition-variable function.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);

namespace {

thread_local bool inside = false;
std::atomic<int> allocations{0};

template <class Call>
int watched(Call call) {
  inside = true;
  const int result = call();
  inside = false;
  return result;
}

}  // namespace

extern "C" void* malloc(std::size_t size) {
  if (inside) ++allocations;
  return __libc_malloc(size);
}
extern "C" void* calloc(std::size_t count, std::size_t size) {
  if (inside) ++allocations;
  return __libc_calloc(count, size);
}

int main() {
  pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        pthread_mutex_t* const mutex = &mutexes[i % 3];
        watched([&] { return pthread_mutex_lock(mutex); });
        timespec when;
        clock_gettime(CLOCK_REALTIME, &when);
        when.tv_nsec = when.tv_nsec / 2;
        watched([&] { return pthread_cond_timedwait(&cond, mutex, &when); });
        watched([&] { return pthread_cond_signal(&cond); });
        watched([&] { return pthread_cond_broadcast(&cond); });
        watched([&] { return pthread_mutex_unlock(mutex); });
        if (watched([&] { return pthread_mutex_trylock(mutex); }) == 0)
          watched([&] { return pthread_mutex_unlock(mutex); });
        if (watched([&] { return pthread_mutex_timedlock(mutex, &when); }) == 0)
          watched([&] { return pthread_mutex_unlock(mutex); });
      }
    });
  for (auto& thread : threads) thread.join();
  if (allocations == 0) return 0;
  std::printf("%d allocations inside\n", allocations.load());
  return 1;
}
