// Signals, cancellation and threads of different priority; as mutex_behaviour.cpp.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> handled{0};
pthread_mutex_t handlers_own = PTHREAD_MUTEX_INITIALIZER;

void count_signal(int) {
  handled.fetch_add(1);
}

/// Uses a mutex that nobody holds for long. POSIX does not promise that this works; with glibc it does.
void lock_in_handler(int) {
  pthread_mutex_lock(&handlers_own);
  handled.fetch_add(1);
  pthread_mutex_unlock(&handlers_own);
}

/// A signal's handler for as long as the object lives, without SA_RESTART: every system call is interrupted.
class handler {
public:
  explicit handler(void (*function)(int)) {
    struct sigaction fresh {};
    fresh.sa_handler = function;
    sigemptyset(&fresh.sa_mask);
    sigaction(SIGUSR1, &fresh, &old_);
    handled = 0;
  }
  ~handler() { sigaction(SIGUSR1, &old_, nullptr); }
  handler(const handler&) = delete;
  handler& operator=(const handler&) = delete;

private:
  struct sigaction old_ {};
};

timespec from_now(long milliseconds) {
  timespec when;
  clock_gettime(CLOCK_REALTIME, &when);
  const long nanoseconds = when.tv_nsec + milliseconds % 1000 * 1000000;
  return {when.tv_sec + milliseconds / 1000 + nanoseconds / 1000000000, nanoseconds % 1000000000};
}

/// Sends signals until the thread has handled `count`, each after the one before.
void pester(pthread_t thread, int count) {
  for (int sent = 0; sent < count; ++sent) {
    const int before = handled;
    pthread_kill(thread, SIGUSR1);
    while (handled == before) std::this_thread::yield();
  }
}

TEST(signal_handler, during_lock_returns_to_the_wait) {
  const handler installed(count_signal);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  for (const bool timed : {false, true}) {
    pthread_mutex_lock(&mutex);
    std::atomic<bool> begun{false};
    std::atomic<bool> over{false};
    std::thread waiter([&] {
      const timespec later = from_now(60000);
      begun = true;
      EXPECT_EQ(timed ? pthread_mutex_timedlock(&mutex, &later) : pthread_mutex_lock(&mutex), 0);
      over = true;
      EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    });
    while (!begun) std::this_thread::yield();
    pester(waiter.native_handle(), 20);
    EXPECT_FALSE(over);
    pthread_mutex_unlock(&mutex);
    waiter.join();
  }
}

TEST(signal_handler, during_a_wait_returns_to_the_wait_or_wakes_spuriously) {
  const handler installed(count_signal);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  for (const bool timed : {false, true}) {
    bool waits = false;
    bool go = false;
    std::thread waiter([&] {
      const timespec later = from_now(60000);
      pthread_mutex_lock(&mutex);
      waits = true;
      // EINTR is what POSIX forbids here.
      while (!go)
        EXPECT_EQ(timed ? pthread_cond_timedwait(&cond, &mutex, &later) : pthread_cond_wait(&cond, &mutex),
                  0);
      pthread_mutex_unlock(&mutex);
    });
    for (bool there = false; !there; std::this_thread::yield()) {
      pthread_mutex_lock(&mutex);
      there = waits;
      pthread_mutex_unlock(&mutex);
    }
    pester(waiter.native_handle(), 20);
    pthread_mutex_lock(&mutex);
    go = true;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    waiter.join();
  }
}

TEST(signal_handler, may_lock_another_mutex_while_its_thread_waits) {
  const char* const lock = getenv("HEMLOCK_LOCK");
  if (lock != nullptr && std::string(lock) != "mutex" && std::string(lock) != "fifo")
    GTEST_SKIP() << "the thread's one record is in the queue already";
  const handler installed(lock_in_handler);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  std::atomic<bool> over{false};
  // Contention for the handler's mutex; but not from threads that are themselves interrupted in it.
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  std::vector<std::thread> rivals;
  for (int t = 0; t < 2; ++t)
    rivals.emplace_back([&] {
      while (!over) {
        pthread_mutex_lock(&handlers_own);
        sched_yield();
        pthread_mutex_unlock(&handlers_own);
        usleep(50);
      }
    });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_mutex_lock(&mutex);
  bool go = false;
  std::thread locker([&] {
    pthread_mutex_lock(&mutex);
    while (!go) pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
  });
  pester(locker.native_handle(), 50);  // in pthread_mutex_lock
  pthread_mutex_unlock(&mutex);
  pester(locker.native_handle(), 50);  // in pthread_cond_wait
  pthread_mutex_lock(&mutex);
  go = true;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  locker.join();
  over = true;
  for (auto& rival : rivals) rival.join();
  EXPECT_EQ(handled, 100);
}

struct cancelled_scene {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  std::atomic<bool> begun{false};
  std::atomic<bool> returned{false};
  int in_cleanup = -1;
};

void unlock_in_cleanup(void* argument) {
  auto& scene = *static_cast<cancelled_scene*>(argument);
  scene.in_cleanup = pthread_mutex_unlock(&scene.mutex);
}

TEST(cancellation, that_is_pending_strikes_at_the_wait) {
  for (const bool timed : {false, true}) {
    cancelled_scene scene;
    struct arguments {
      cancelled_scene& scene;
      bool timed;
    } given{scene, timed};
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void* argument) -> void* {
          auto& [in, with_limit] = *static_cast<arguments*>(argument);
          pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
          in.begun = true;
          while (!in.returned) sched_yield();  // until the request is there
          in.returned = false;
          pthread_mutex_lock(&in.mutex);
          pthread_cleanup_push(unlock_in_cleanup, &in);
          pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
          const timespec past{1, 0};
          if (with_limit)
            pthread_cond_timedwait(&in.cond, &in.mutex, &past);
          else
            pthread_cond_wait(&in.cond, &in.mutex);
          in.returned = true;
          pthread_cleanup_pop(1);
          return nullptr;
        },
        &given);
    while (!scene.begun) std::this_thread::yield();
    pthread_cancel(thread);
    scene.returned = true;
    void* result;
    pthread_join(thread, &result);
    EXPECT_EQ(result, PTHREAD_CANCELED);
    EXPECT_FALSE(scene.returned);
    EXPECT_EQ(scene.in_cleanup, 0) << "the mutex was not held in the cleanup handler";
    EXPECT_EQ(pthread_cond_destroy(&scene.cond), 0);
    EXPECT_EQ(pthread_mutex_destroy(&scene.mutex), 0);
  }
}

TEST(cancellation, that_is_disabled_waits_for_the_end_of_the_wait) {
  cancelled_scene scene;
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* argument) -> void* {
        auto& in = *static_cast<cancelled_scene*>(argument);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
        pthread_mutex_lock(&in.mutex);
        in.begun = true;
        while (!in.returned) pthread_cond_wait(&in.cond, &in.mutex);
        pthread_mutex_unlock(&in.mutex);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
        pthread_testcancel();
        return nullptr;
      },
      &scene);
  while (!scene.begun) std::this_thread::yield();
  pthread_cancel(thread);
  pthread_mutex_lock(&scene.mutex);
  scene.returned = true;
  pthread_cond_signal(&scene.cond);
  pthread_mutex_unlock(&scene.mutex);
  void* result;
  pthread_join(thread, &result);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_EQ(pthread_mutex_destroy(&scene.mutex), 0);
}

TEST(cancellation, does_not_strike_in_lock) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct state {
    pthread_mutex_t& mutex;
    std::atomic<bool> begun{false};
    std::atomic<int> locked{-1};
  } shared{mutex};
  pthread_mutex_lock(&mutex);
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* argument) -> void* {
        auto& in = *static_cast<state*>(argument);
        in.begun = true;
        in.locked = pthread_mutex_lock(&in.mutex);
        pthread_mutex_unlock(&in.mutex);
        pthread_testcancel();
        return nullptr;
      },
      &shared);
  while (!shared.begun) std::this_thread::yield();
  pthread_cancel(thread);
  usleep(2000);
  pthread_mutex_unlock(&mutex);
  void* result;
  pthread_join(thread, &result);
  EXPECT_EQ(shared.locked, 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

TEST(cancellation, of_many_waiters_lets_the_others_be_called) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  struct state {
    pthread_mutex_t& mutex;
    pthread_cond_t& cond;
    int waiting = 0;
    int called = 0;
    bool go = false;
  } shared{mutex, cond};
  constexpr int count = 12;
  pthread_t threads[count];
  for (auto& thread : threads)
    pthread_create(
        &thread, nullptr,
        [](void* argument) -> void* {
          auto& in = *static_cast<state*>(argument);
          pthread_mutex_lock(&in.mutex);
          pthread_cleanup_push([](void* m) { pthread_mutex_unlock(static_cast<pthread_mutex_t*>(m)); },
                               &in.mutex);
          ++in.waiting;
          while (!in.go) pthread_cond_wait(&in.cond, &in.mutex);
          ++in.called;
          pthread_cleanup_pop(1);
          return nullptr;
        },
        &shared);
  for (bool all = false; !all; std::this_thread::yield()) {
    pthread_mutex_lock(&mutex);
    all = shared.waiting == count;
    pthread_mutex_unlock(&mutex);
  }
  for (int t = 0; t < count; t += 2) pthread_cancel(threads[t]);
  for (int t = 0; t < count; t += 2) pthread_join(threads[t], nullptr);
  pthread_mutex_lock(&mutex);
  shared.go = true;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&mutex);
  for (int t = 1; t < count; t += 2) pthread_join(threads[t], nullptr);
  EXPECT_EQ(shared.called, count / 2);
  EXPECT_EQ(pthread_cond_destroy(&cond), 0);
}

}  // namespace
