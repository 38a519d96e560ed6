// standard_threads: the standard library's, C11's and OpenMP's synchronisation, each doing some work whose result is
// known. Prints a line for each; exits 1 if one is wrong.
#include <threads.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
constexpr int workers = 4;
constexpr int rounds = 300;
bool all_right = true;

void report(const char* what, long seen, long expected) {
  std::printf("%s: %ld\n", what, seen);
  if (seen != expected) all_right = false;
}

template <class Body>
void in_threads(Body body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < workers; ++t) threads.emplace_back(body, t);
  for (auto& thread : threads) thread.join();
}

template <class Mutex>
long count_with() {
  Mutex mutex;
  long count = 0;
  in_threads([&](int) {
    for (int i = 0; i < rounds; ++i) {
      const std::lock_guard<Mutex> guard(mutex);
      ++count;
    }
  });
  return count;
}

template <class Mutex>
long nest_with() {
  Mutex mutex;
  long count = 0;
  in_threads([&](int) {
    for (int i = 0; i < rounds; ++i) {
      const std::lock_guard<Mutex> outer(mutex);
      const std::lock_guard<Mutex> inner(mutex);
      ++count;
    }
  });
  return count;
}

long time_out() {
  std::timed_mutex mutex;
  std::unique_lock<std::timed_mutex> held(mutex);
  long refused = 0;
  std::thread([&] {
    if (!mutex.try_lock_for(2ms)) ++refused;
    if (!mutex.try_lock_until(std::chrono::system_clock::now() + 2ms)) ++refused;
    if (!mutex.try_lock()) ++refused;
  }).join();
  held.unlock();
  std::thread([&] {
    if (mutex.try_lock_for(20s)) mutex.unlock();
  }).join();
  return refused;
}

template <class Condition>
long pass_through_queue() {
  std::mutex mutex;
  Condition changed;
  std::deque<int> queue;
  long sum = 0;
  in_threads([&](int me) {
    for (int i = 0; i < rounds; ++i) {
      std::unique_lock<std::mutex> lock(mutex);
      if (me % 2 == 0) {
        changed.wait(lock, [&] { return queue.size() < 4; });
        queue.push_back(i);
      } else {
        changed.wait(lock, [&] { return !queue.empty(); });
        sum += queue.front();
        queue.pop_front();
      }
      changed.notify_all();
    }
  });
  return sum;
}

long wait_in_vain() {
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock<std::mutex> lock(mutex);
  long timeouts = 0;
  if (changed.wait_for(lock, 2ms) == std::cv_status::timeout) ++timeouts;
  if (changed.wait_until(lock, std::chrono::system_clock::now() + 2ms) == std::cv_status::timeout) ++timeouts;
  if (!changed.wait_for(lock, 2ms, [] { return false; })) ++timeouts;
  return timeouts;
}

long read_and_write() {
  std::shared_timed_mutex mutex;
  std::shared_mutex plain;
  long value = 0;
  in_threads([&](int me) {
    for (int i = 0; i < rounds; ++i) {
      if (me == 0) {
        const std::scoped_lock both(mutex, plain);
        ++value;
      } else {
        const std::shared_lock<std::shared_timed_mutex> one(mutex);
        const std::shared_lock<std::shared_mutex> two(plain);
        if (value < 0) value = 0;
      }
    }
  });
  return value;
}

long call_once_only() {
  static std::once_flag flag;
  static long calls = 0;
  in_threads([](int) {
    for (int i = 0; i < rounds; ++i) std::call_once(flag, [] { ++calls; });
  });
  return calls;
}

long futures() {
  std::vector<std::future<long>> answers;
  for (long i = 0; i < 8; ++i) answers.push_back(std::async(std::launch::async, [i] { return i * i; }));
  long sum = 0;
  for (auto& answer : answers) sum += answer.get();
  return sum;
}

const timespec long_ago{1, 0};

struct c11_state {
  mtx_t plain;
  mtx_t recursive;
  cnd_t changed;
  int turn = 0;
  long count = 0;
};

int c11_player(c11_state& state, int me) {
  for (int i = 0; i < rounds; ++i) {
    mtx_lock(&state.recursive);
    mtx_lock(&state.recursive);
    mtx_lock(&state.plain);
    mtx_unlock(&state.recursive);
    mtx_unlock(&state.recursive);
    while (state.turn != me) cnd_wait(&state.changed, &state.plain);
    state.turn = 1 - me;
    ++state.count;
    cnd_broadcast(&state.changed);
    mtx_unlock(&state.plain);
  }
  return 0;
}

long c11() {
  c11_state state;
  mtx_init(&state.plain, mtx_timed);
  mtx_init(&state.recursive, mtx_plain | mtx_recursive);
  cnd_init(&state.changed);
  thrd_t threads[2];
  thrd_create(
      &threads[0], [](void* s) { return c11_player(*static_cast<c11_state*>(s), 0); }, &state);
  thrd_create(
      &threads[1], [](void* s) { return c11_player(*static_cast<c11_state*>(s), 1); }, &state);
  for (thrd_t thread : threads) thrd_join(thread, nullptr);
  mtx_lock(&state.plain);
  if (cnd_timedwait(&state.changed, &state.plain, &long_ago) == thrd_timedout) ++state.count;
  thrd_t other;
  thrd_create(
      &other, [](void* s) { return mtx_timedlock(&static_cast<c11_state*>(s)->plain, &long_ago); }, &state);
  int refused = 0;
  thrd_join(other, &refused);
  if (refused == thrd_timedout && mtx_trylock(&state.plain) == thrd_busy) ++state.count;
  mtx_unlock(&state.plain);
  mtx_destroy(&state.plain);
  mtx_destroy(&state.recursive);
  cnd_destroy(&state.changed);
  return state.count;
}

long openmp() {
  long sum = 0;
  long critical = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(workers)
  for (int i = 0; i < rounds; ++i) {
    sum += i;
#pragma omp critical
    ++critical;
  }
  return sum + critical;
}

}  // namespace

int main() {
  report("std::mutex", count_with<std::mutex>(), workers * rounds);
  report("std::timed_mutex", count_with<std::timed_mutex>(), workers * rounds);
  report("std::recursive_mutex", nest_with<std::recursive_mutex>(), workers * rounds);
  report("std::recursive_timed_mutex", nest_with<std::recursive_timed_mutex>(), workers * rounds);
  report("time limits", time_out(), 3);
  report("std::condition_variable", pass_through_queue<std::condition_variable>(), rounds * (rounds - 1));
  report("std::condition_variable_any", pass_through_queue<std::condition_variable_any>(),
         rounds * (rounds - 1));
  report("waits in vain", wait_in_vain(), 3);
  report("std::shared_mutex", read_and_write(), rounds);
  report("std::call_once", call_once_only(), 1);
  report("std::async", futures(), 140);
  report("C11 threads", c11(), 2 * rounds + 2);
  report("OpenMP", openmp(), rounds * (rounds - 1) / 2 + rounds);
  return all_right ? 0 : 1;
}
