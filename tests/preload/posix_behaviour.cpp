// The small print of POSIX, and what glibc makes of it where POSIX leaves a choice; as mutex_behaviour.cpp.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <thread>

namespace {

constexpr timespec long_past{1, 0};
constexpr long bad_nanoseconds[] = {-1, 1'000'000'000, LONG_MIN, LONG_MAX};
constexpr int our_types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                             PTHREAD_MUTEX_ADAPTIVE_NP};

timespec from_now(long milliseconds, clockid_t clock = CLOCK_REALTIME) {
  timespec when;
  clock_gettime(clock, &when);
  const long nanoseconds = when.tv_nsec + milliseconds % 1000 * 1000000;
  return {when.tv_sec + milliseconds / 1000 + nanoseconds / 1000000000, nanoseconds % 1000000000};
}

void make(pthread_mutex_t& mutex, int type) {
  pthread_mutexattr_t attributes;
  ASSERT_EQ(pthread_mutexattr_init(&attributes), 0);
  ASSERT_EQ(pthread_mutexattr_settype(&attributes, type), 0);
  ASSERT_EQ(pthread_mutex_init(&mutex, &attributes), 0);
  ASSERT_EQ(pthread_mutexattr_destroy(&attributes), 0);
}

int in_another_thread(const std::function<int()>& call) {
  int result = -1;
  std::thread([&] { result = call(); }).join();
  return result;
}

/// True if somebody else finds the mutex held.
bool is_held(pthread_mutex_t& mutex) {
  return in_another_thread([&] {
           const int result = pthread_mutex_trylock(&mutex);
           if (result == 0) pthread_mutex_unlock(&mutex);
           return result;
         }) == EBUSY;
}

/// Holds a mutex in a thread of its own, until told.
class holder {
public:
  explicit holder(pthread_mutex_t& mutex) : mutex_(mutex) {
    sem_init(&has_it_, 0, 0);
    sem_init(&may_go_, 0, 0);
    thread_ = std::thread([this] {
      pthread_mutex_lock(&mutex_);
      sem_post(&has_it_);
      while (sem_wait(&may_go_) != 0) continue;
      pthread_mutex_unlock(&mutex_);
    });
    while (sem_wait(&has_it_) != 0) continue;
  }
  ~holder() {
    sem_post(&may_go_);
    thread_.join();
  }
  holder(const holder&) = delete;
  holder& operator=(const holder&) = delete;

private:
  pthread_mutex_t& mutex_;
  sem_t has_it_;
  sem_t may_go_;
  std::thread thread_;
};

TEST(timed_lock, of_a_free_mutex_does_not_look_at_the_time) {
  for (const int type : our_types) {
    pthread_mutex_t mutex;
    make(mutex, type);
    for (const long wrong : bad_nanoseconds) {
      const timespec when{0, wrong};
      EXPECT_EQ(pthread_mutex_timedlock(&mutex, &when), 0) << "type " << type << ", " << wrong << " ns";
      EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
      EXPECT_EQ(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &when), 0);
      EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    }
    EXPECT_EQ(pthread_mutex_timedlock(&mutex, &long_past), 0);
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
  }
}

TEST(timed_lock, of_a_mutex_that_another_holds_does) {
  for (const int type : our_types) {
    pthread_mutex_t mutex;
    make(mutex, type);
    {
      const holder other(mutex);
      for (const long wrong : bad_nanoseconds) {
        const timespec when{from_now(0).tv_sec + 60, wrong};
        EXPECT_EQ(pthread_mutex_timedlock(&mutex, &when), EINVAL)
            << "type " << type << ", " << wrong << " ns";
        EXPECT_EQ(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &when), EINVAL);
      }
      EXPECT_EQ(pthread_mutex_timedlock(&mutex, &long_past), ETIMEDOUT);
      const timespec before_time{-1, 0};
      EXPECT_EQ(pthread_mutex_timedlock(&mutex, &before_time), ETIMEDOUT);
      const timespec soon = from_now(5);
      EXPECT_EQ(pthread_mutex_timedlock(&mutex, &soon), ETIMEDOUT);
      const timespec now = from_now(0);
      EXPECT_TRUE(now.tv_sec > soon.tv_sec || (now.tv_sec == soon.tv_sec && now.tv_nsec >= soon.tv_nsec))
          << "gave up too early";
    }
    EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
  }
}

TEST(timed_lock, of_a_mutex_that_we_hold_depends_on_its_type) {
  pthread_mutex_t mutex;
  make(mutex, PTHREAD_MUTEX_ERRORCHECK);
  const timespec later = from_now(60000);
  ASSERT_EQ(pthread_mutex_timedlock(&mutex, &later), 0);
  EXPECT_EQ(pthread_mutex_timedlock(&mutex, &later), EDEADLK);
  EXPECT_EQ(pthread_mutex_timedlock(&mutex, &long_past), EDEADLK);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  make(mutex, PTHREAD_MUTEX_RECURSIVE);
  for (int depth = 0; depth < 3; ++depth) EXPECT_EQ(pthread_mutex_timedlock(&mutex, &long_past), 0);
  for (int depth = 0; depth < 3; ++depth) EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  make(mutex, PTHREAD_MUTEX_NORMAL);
  ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
  const timespec soon = from_now(3);
  EXPECT_EQ(pthread_mutex_timedlock(&mutex, &soon), ETIMEDOUT);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
}

TEST(timed_lock, gets_a_mutex_that_is_released_in_time) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
  std::atomic<bool> begun{false};
  int result = -1;
  std::thread waiter([&] {
    const timespec later = from_now(60000);
    begun = true;
    result = pthread_mutex_timedlock(&mutex, &later);
    pthread_mutex_unlock(&mutex);
  });
  while (!begun) std::this_thread::yield();
  usleep(2000);
  pthread_mutex_unlock(&mutex);
  waiter.join();
  EXPECT_EQ(result, 0);
}

TEST(destroy, is_refused_while_the_mutex_is_held_and_leaves_it_as_it_was) {
  for (const int type : our_types) {
    pthread_mutex_t mutex;
    make(mutex, type);
    ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
    EXPECT_EQ(pthread_mutex_destroy(&mutex), EBUSY) << "type " << type;
    EXPECT_TRUE(is_held(mutex));
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    {
      const holder other(mutex);
      EXPECT_EQ(pthread_mutex_destroy(&mutex), EBUSY) << "type " << type;
    }
    EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
  }
}

TEST(destroy, makes_way_for_a_new_mutex_of_another_type) {
  pthread_mutex_t mutex;
  for (int round = 0; round < 3; ++round)
    for (const int type : our_types) {
      make(mutex, type);
      EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
      EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
      EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
      EXPECT_EQ(pthread_mutex_lock(&mutex), EINVAL);
      EXPECT_EQ(pthread_mutex_trylock(&mutex), EINVAL);
      EXPECT_EQ(pthread_mutex_timedlock(&mutex, &long_past), EINVAL);
      EXPECT_EQ(pthread_mutex_unlock(&mutex), EINVAL);
    }
}

TEST(init, of_a_mutex_that_was_used_and_is_free_again_starts_anew) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
  ASSERT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_init(&mutex, nullptr), 0);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  // Even of one that is held: undefined, and what glibc does is to begin anew.
  ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_init(&mutex, nullptr), 0);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

TEST(init, attributes_may_be_changed_and_destroyed_after) {
  pthread_mutexattr_t attributes;
  ASSERT_EQ(pthread_mutexattr_init(&attributes), 0);
  ASSERT_EQ(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE), 0);
  EXPECT_EQ(pthread_mutexattr_settype(&attributes, 4711), EINVAL);
  pthread_mutex_t recursive;
  pthread_mutex_t checking;
  ASSERT_EQ(pthread_mutex_init(&recursive, &attributes), 0);
  ASSERT_EQ(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK), 0);
  ASSERT_EQ(pthread_mutex_init(&checking, &attributes), 0);
  ASSERT_EQ(pthread_mutexattr_destroy(&attributes), 0);
  EXPECT_EQ(pthread_mutex_lock(&recursive), 0);
  EXPECT_EQ(pthread_mutex_lock(&recursive), 0);
  EXPECT_EQ(pthread_mutex_lock(&checking), 0);
  EXPECT_EQ(pthread_mutex_lock(&checking), EDEADLK);
}

TEST(try_lock, of_each_type_by_its_holder_and_by_another) {
  for (const int type : our_types) {
    pthread_mutex_t mutex;
    make(mutex, type);
    ASSERT_EQ(pthread_mutex_trylock(&mutex), 0);
    EXPECT_EQ(pthread_mutex_trylock(&mutex), type == PTHREAD_MUTEX_RECURSIVE ? 0 : EBUSY) << "type " << type;
    EXPECT_TRUE(is_held(mutex));
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    if (type == PTHREAD_MUTEX_RECURSIVE) {
      EXPECT_TRUE(is_held(mutex));
      EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    }
    EXPECT_FALSE(is_held(mutex));
  }
}

TEST(unlock, of_anothers_recursive_or_checking_mutex_is_refused_and_leaves_it_held) {
  for (const int type : {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    pthread_mutex_t mutex;
    make(mutex, type);
    const holder other(mutex);
    EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
    EXPECT_TRUE(is_held(mutex));
  }
}

TEST(prioceiling, is_for_mutexes_with_that_protocol_alone) {
  for (const int type : our_types) {
    pthread_mutex_t mutex;
    make(mutex, type);
    int ceiling = 4711;
    EXPECT_EQ(pthread_mutex_getprioceiling(&mutex, &ceiling), EINVAL);
    EXPECT_EQ(pthread_mutex_setprioceiling(&mutex, 1, &ceiling), EINVAL);
    EXPECT_EQ(pthread_mutex_consistent(&mutex), EINVAL);
    EXPECT_EQ(ceiling, 4711);
  }
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  ASSERT_EQ(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT), 0);
  const int lowest = sched_get_priority_min(SCHED_FIFO);
  ASSERT_EQ(pthread_mutexattr_setprioceiling(&attributes, lowest), 0);
  pthread_mutex_t mutex;
  ASSERT_EQ(pthread_mutex_init(&mutex, &attributes), 0);
  int ceiling = -1;
  EXPECT_EQ(pthread_mutex_getprioceiling(&mutex, &ceiling), 0);
  EXPECT_EQ(ceiling, lowest);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

// Condition variables.

TEST(timed_wait, with_a_bad_time_keeps_the_mutex) {
  for (const int type : our_types) {
    pthread_mutex_t mutex;
    make(mutex, type);
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
    // Somebody stands ready to take the mutex should it be released for a moment.
    std::atomic<bool> taken{false};
    std::thread thief([&] {
      pthread_mutex_lock(&mutex);
      taken = true;
      pthread_mutex_unlock(&mutex);
    });
    for (const long wrong : bad_nanoseconds) {
      const timespec when{from_now(0).tv_sec + 60, wrong};
      EXPECT_EQ(pthread_cond_timedwait(&cond, &mutex, &when), EINVAL);
      EXPECT_EQ(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &when), EINVAL);
    }
    const timespec later = from_now(60000, CLOCK_MONOTONIC);
    EXPECT_EQ(pthread_cond_clockwait(&cond, &mutex, CLOCK_THREAD_CPUTIME_ID, &later), EINVAL);
    usleep(2000);
    EXPECT_FALSE(taken) << "type " << type;
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    thief.join();
    EXPECT_EQ(pthread_cond_destroy(&cond), 0);
  }
}

TEST(timed_wait, whose_time_is_over_lets_others_have_the_mutex_and_has_it_again) {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
  const timespec before_time{-1, 0};
  for (const timespec when : {long_past, before_time, timespec{0, 0}}) {
    EXPECT_EQ(pthread_cond_timedwait(&cond, &mutex, &when), ETIMEDOUT);
    EXPECT_EQ(pthread_mutex_lock(&mutex), EDEADLK);
  }
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
}

TEST(wait, with_a_mutex_that_we_do_not_hold_is_refused_by_the_types_that_know) {
  for (const int type : {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    pthread_mutex_t mutex;
    make(mutex, type);
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    const timespec later = from_now(60000);
    EXPECT_EQ(pthread_cond_wait(&cond, &mutex), EPERM);
    EXPECT_EQ(pthread_cond_timedwait(&cond, &mutex, &later), EPERM);
    {
      const holder other(mutex);
      EXPECT_EQ(pthread_cond_wait(&cond, &mutex), EPERM);
    }
    // Nobody is left in the condition variable's queue, and the mutex is as it was.
    EXPECT_EQ(pthread_cond_signal(&cond), 0);
    EXPECT_EQ(pthread_cond_destroy(&cond), 0);
    EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
  }
}

TEST(wait, with_a_destroyed_mutex_is_refused) {
  pthread_mutex_t mutex;
  make(mutex, PTHREAD_MUTEX_NORMAL);
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  ASSERT_EQ(pthread_mutex_destroy(&mutex), 0);
  EXPECT_EQ(pthread_cond_wait(&cond, &mutex), EINVAL);
  EXPECT_EQ(pthread_cond_destroy(&cond), 0);
}

TEST(signal_and_broadcast, without_a_waiter_are_not_remembered) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pthread_cond_signal(&cond), 0);
    EXPECT_EQ(pthread_cond_broadcast(&cond), 0);
  }
  pthread_mutex_lock(&mutex);
  const timespec soon = from_now(3);
  EXPECT_EQ(pthread_cond_timedwait(&cond, &mutex, &soon), ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  EXPECT_EQ(pthread_cond_destroy(&cond), 0);
}

TEST(cond_init, after_destroy_gives_a_new_one_with_the_attributes_asked_for) {
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  for (const clockid_t clock : {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_MONOTONIC}) {
    EXPECT_EQ(pthread_cond_destroy(&cond), 0);
    pthread_condattr_t attributes;
    ASSERT_EQ(pthread_condattr_init(&attributes), 0);
    EXPECT_EQ(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID), EINVAL);
    ASSERT_EQ(pthread_condattr_setclock(&attributes, clock), 0);
    ASSERT_EQ(pthread_cond_init(&cond, &attributes), 0);
    ASSERT_EQ(pthread_condattr_destroy(&attributes), 0);
    // The monotonic clock began with the machine: its times are long past on the other.
    const timespec when = from_now(5, clock);
    pthread_mutex_lock(&mutex);
    EXPECT_EQ(pthread_cond_timedwait(&cond, &mutex, &when), ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    const timespec after = from_now(0, clock);
    EXPECT_TRUE(after.tv_sec > when.tv_sec || (after.tv_sec == when.tv_sec && after.tv_nsec >= when.tv_nsec));
  }
  EXPECT_EQ(pthread_cond_destroy(&cond), 0);
}

TEST(wait, with_a_recursive_mutex_held_once_releases_it) {
  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  bool go = false;
  std::thread caller;
  pthread_mutex_lock(&mutex);
  caller = std::thread([&] {
    pthread_mutex_lock(&mutex);  // only possible while the other waits
    go = true;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
  });
  while (!go) EXPECT_EQ(pthread_cond_wait(&cond, &mutex), 0);
  caller.join();
  EXPECT_TRUE(is_held(mutex));
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
}

TEST(errno_value, is_left_alone_by_every_wait) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  errno = 4711;
  timespec soon = from_now(2);
  EXPECT_EQ(pthread_cond_timedwait(&cond, &mutex, &soon), ETIMEDOUT);
  EXPECT_EQ(errno, 4711);
  soon = from_now(2);
  EXPECT_EQ(pthread_mutex_timedlock(&mutex, &soon), ETIMEDOUT);
  EXPECT_EQ(errno, 4711);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), EBUSY);
  EXPECT_EQ(pthread_cond_signal(&cond), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_cond_destroy(&cond), 0);
  EXPECT_EQ(errno, 4711);
}

TEST(static_and_dynamic, mutexes_may_be_unlocked_by_another_thread_if_they_do_not_check) {
  // Undefined in POSIX; it works with glibc, so programs do it. Of our locks, those without a queue of threads' own
  // records can.
  const char* const lock = getenv("HEMLOCK_LOCK");
  if (lock != nullptr && std::string(lock).find("hemlock-") == 0)
    GTEST_SKIP() << lock << " must be unlocked by the thread that locked it";
  for (const int type : {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ADAPTIVE_NP}) {
    pthread_mutex_t mutex;
    make(mutex, type);
    for (int round = 0; round < 50; ++round) {
      ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
      std::thread waiter([&] {
        EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
        // Left locked: main unlocks it for us.
      });
      EXPECT_EQ(in_another_thread([&] { return pthread_mutex_unlock(&mutex); }), 0);
      waiter.join();
      EXPECT_TRUE(is_held(mutex));
      EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
      EXPECT_FALSE(is_held(mutex));
    }
    EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
  }
}

}  // namespace
