// What a program may rely on of its condition variables; as mutex_behaviour.cpp.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

namespace {

timespec from_now(clockid_t clock, long milliseconds) {
  timespec when;
  clock_gettime(clock, &when);
  const long nanoseconds = when.tv_nsec + milliseconds * 1000000;
  return {when.tv_sec + nanoseconds / 1000000000, nanoseconds % 1000000000};
}

long milliseconds_since(const timespec& start) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
}

/// Threads that wait for a number each, in a shared structure.
struct room {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  int waiting = 0;
  int tickets = 0;
  int served = 0;

  void wait_for_ticket() {
    pthread_mutex_lock(&mutex);
    ++waiting;
    while (tickets == 0) pthread_cond_wait(&changed, &mutex);
    --tickets;
    ++served;
    pthread_mutex_unlock(&mutex);
  }
  void await_waiting(int count) {
    while (true) {
      pthread_mutex_lock(&mutex);
      const bool there = waiting == count;
      pthread_mutex_unlock(&mutex);
      if (there) return;
      std::this_thread::yield();
    }
  }
};

TEST(condition, each_signal_wakes_a_waiter) {
  room here;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back([&] { here.wait_for_ticket(); });
  here.await_waiting(8);
  for (int t = 0; t < 8; ++t) {
    pthread_mutex_lock(&here.mutex);
    ++here.tickets;
    if (t % 2 == 0) pthread_cond_signal(&here.changed);
    pthread_mutex_unlock(&here.mutex);
    if (t % 2 == 1) pthread_cond_signal(&here.changed);
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(here.served, 8);
}

TEST(condition, several_signals_under_one_lock_wake_as_many) {
  room here;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) threads.emplace_back([&] { here.wait_for_ticket(); });
  here.await_waiting(6);
  pthread_mutex_lock(&here.mutex);
  here.tickets = 6;
  for (int t = 0; t < 6; ++t) pthread_cond_signal(&here.changed);
  pthread_mutex_unlock(&here.mutex);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(here.served, 6);
}

TEST(condition, may_be_destroyed_and_freed_right_after_broadcast) {
  for (int round = 0; round < 100; ++round) {
    auto* const here = new room;
    pthread_mutex_t outside = PTHREAD_MUTEX_INITIALIZER;  // outlives the condition variable
    bool go = false;
    int waiting = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        pthread_mutex_lock(&outside);
        ++waiting;
        if (!go) pthread_cond_wait(&here->changed, &outside);
        pthread_mutex_unlock(&outside);
      });
    for (bool all = false; !all; std::this_thread::yield()) {
      pthread_mutex_lock(&outside);
      all = waiting == 4;
      if (all) {
        go = true;
        pthread_cond_broadcast(&here->changed);
        EXPECT_EQ(pthread_cond_destroy(&here->changed), 0);
        std::memset(static_cast<void*>(&here->changed), 0xa5, sizeof here->changed);
      }
      pthread_mutex_unlock(&outside);
    }
    delete here;
    for (auto& thread : threads) thread.join();
  }
}

TEST(condition, may_be_destroyed_by_the_signaller_that_still_holds_the_mutex) {
  for (int round = 0; round < 50; ++round) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    bool waiting = false;
    bool go = false;
    std::thread waiter([&] {
      pthread_mutex_lock(&mutex);
      waiting = true;
      while (!go) pthread_cond_wait(&changed, &mutex);
      pthread_mutex_unlock(&mutex);
    });
    for (bool there = false; !there; std::this_thread::yield()) {
      pthread_mutex_lock(&mutex);
      there = waiting;
      if (there) {
        go = true;
        pthread_cond_signal(&changed);
        EXPECT_EQ(pthread_cond_destroy(&changed), 0);
        std::memset(static_cast<void*>(&changed), 0xa5, sizeof changed);
      }
      pthread_mutex_unlock(&mutex);
    }
    waiter.join();
  }
}

TEST(condition, times_out_on_the_clock_it_was_given) {
  for (const clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC}) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, clock);
    pthread_cond_t cond;
    pthread_cond_init(&cond, &attributes);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const timespec start = from_now(CLOCK_MONOTONIC, 0);
    pthread_mutex_lock(&mutex);
    timespec when = from_now(clock, 20);
    EXPECT_EQ(pthread_cond_timedwait(&cond, &mutex, &when), ETIMEDOUT);
    const clockid_t other = clock == CLOCK_REALTIME ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    when = from_now(other, 20);
    EXPECT_EQ(pthread_cond_clockwait(&cond, &mutex, other, &when), ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    EXPECT_GE(milliseconds_since(start), 38);
    EXPECT_LT(milliseconds_since(start), 20000);
    EXPECT_EQ(pthread_cond_destroy(&cond), 0);
  }
}

void unlock_and_note(void* argument) {
  auto* const both = static_cast<std::pair<pthread_mutex_t*, int*>*>(argument);
  *both->second = pthread_mutex_unlock(both->first);
}

TEST(condition, cancelled_waiter_has_the_mutex_in_its_cleanup_handlers) {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  struct shared {
    pthread_mutex_t& mutex;
    pthread_cond_t& cond;
    int unlocked = -1;
    bool waiting = false;
  } state{mutex, cond};
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* argument) -> void* {
        auto& in = *static_cast<shared*>(argument);
        std::pair<pthread_mutex_t*, int*> both{&in.mutex, &in.unlocked};
        pthread_mutex_lock(&in.mutex);
        pthread_cleanup_push(unlock_and_note, &both);
        in.waiting = true;
        while (true) pthread_cond_wait(&in.cond, &in.mutex);
        pthread_cleanup_pop(1);
        return nullptr;
      },
      &state);
  for (bool there = false; !there; std::this_thread::yield()) {
    pthread_mutex_lock(&mutex);
    there = state.waiting;
    pthread_mutex_unlock(&mutex);
  }
  pthread_cancel(thread);
  void* result;
  pthread_join(thread, &result);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_EQ(state.unlocked, 0);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
  EXPECT_EQ(pthread_cond_destroy(&cond), 0);
}

TEST(condition, cancelled_waiter_does_not_keep_a_signal_from_others) {
  for (int round = 0; round < 100; ++round) {
    room here;
    std::vector<pthread_t> threads(3);
    for (auto& thread : threads)
      pthread_create(
          &thread, nullptr,
          [](void* argument) -> void* {
            auto& in = *static_cast<room*>(argument);
            pthread_mutex_lock(&in.mutex);
            pthread_cleanup_push(
                [](void* mutex) { pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex)); }, &in.mutex);
            ++in.waiting;
            while (in.tickets == 0) pthread_cond_wait(&in.changed, &in.mutex);
            --in.tickets;
            ++in.served;
            pthread_cleanup_pop(1);
            return nullptr;
          },
          &here);
    here.await_waiting(3);
    // One ticket for each of the two that are not cancelled, and a signal for each, while the first is cancelled.
    std::thread canceller([&] { pthread_cancel(threads[0]); });
    for (int i = 0; i < 2; ++i) {
      pthread_mutex_lock(&here.mutex);
      ++here.tickets;
      pthread_cond_signal(&here.changed);
      pthread_mutex_unlock(&here.mutex);
    }
    canceller.join();
    void* first;
    pthread_join(threads[0], &first);
    if (first != PTHREAD_CANCELED) {  // it was served before: its ticket is replaced
      pthread_mutex_lock(&here.mutex);
      ++here.tickets;
      pthread_cond_signal(&here.changed);
      pthread_mutex_unlock(&here.mutex);
    }
    pthread_join(threads[1], nullptr);
    pthread_join(threads[2], nullptr);
    EXPECT_EQ(here.tickets, 0);
  }
}

TEST(condition, serves_one_mutex_after_another) {
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  for (int round = 0; round < 20; ++round) {
    pthread_mutex_t mutex = round % 2 == 0 ? pthread_mutex_t PTHREAD_MUTEX_INITIALIZER
                                           : pthread_mutex_t PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    bool go = false;
    std::thread waiter([&] {
      pthread_mutex_lock(&mutex);
      while (!go) pthread_cond_wait(&cond, &mutex);
      pthread_mutex_unlock(&mutex);
    });
    pthread_mutex_lock(&mutex);
    go = true;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    waiter.join();
  }
  EXPECT_EQ(pthread_cond_destroy(&cond), 0);
}

/// Both process-shared or not, robust, priority-inheriting, in any combination.
TEST(condition, works_with_every_kind_of_mutex) {
  for (int shared_cond = 0; shared_cond < 2; ++shared_cond)
    for (int what = 0; what < 5; ++what) {
      pthread_mutexattr_t kind;
      pthread_mutexattr_init(&kind);
      if (what == 1) pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
      if (what == 2) pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
      if (what == 3) pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
      if (what == 4) pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
      pthread_mutex_t mutex;
      ASSERT_EQ(pthread_mutex_init(&mutex, &kind), 0);
      pthread_condattr_t attributes;
      pthread_condattr_init(&attributes);
      if (shared_cond == 1) pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
      pthread_cond_t cond;
      ASSERT_EQ(pthread_cond_init(&cond, &attributes), 0);
      int turn = 0;
      const auto play = [&](int me) {
        pthread_mutex_lock(&mutex);
        for (int i = 0; i < 100; ++i) {
          while (turn % 3 != me) pthread_cond_wait(&cond, &mutex);
          ++turn;
          pthread_cond_broadcast(&cond);
        }
        pthread_mutex_unlock(&mutex);
      };
      std::thread one(play, 1);
      std::thread two(play, 2);
      play(0);
      one.join();
      two.join();
      EXPECT_EQ(turn, 300) << "mutex " << what << ", shared condition variable " << shared_cond;
      EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
      EXPECT_EQ(pthread_cond_destroy(&cond), 0);
    }
}

}  // namespace
