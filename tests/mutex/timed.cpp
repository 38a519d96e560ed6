// Waits that end.
#include <sys/resource.h>

#include <memory>
#include <mutex>

#include "mutex/both_mutexes.hpp"

namespace hemlock::testing {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using std::chrono::system_clock;

/// A clock that the kernel does not know.
struct late_clock {
  using duration = steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<late_clock>;
  [[maybe_unused]] static constexpr bool is_steady = true;
  static time_point now() { return time_point(steady_clock::now().time_since_epoch() - 1h); }
};

std::chrono::microseconds cpu_time_of_this_thread() {
  rusage usage;
  ::getrusage(RUSAGE_THREAD, &usage);
  const auto of = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

template <class Mutex>
class timed : public ::testing::Test {};
TYPED_TEST_SUITE(timed, both_mutexes);

TYPED_TEST(timed, a_free_lock_is_taken_whatever_the_deadline) {
  TypeParam lock;
  EXPECT_TRUE(lock.try_lock_until(steady_clock::time_point::min()));
  lock.unlock();
  EXPECT_TRUE(lock.try_lock_for(std::chrono::hours::max()));
  lock.unlock();
  EXPECT_TRUE(lock.try_lock_for(-1s));
  lock.unlock();
}

TYPED_TEST(timed, a_waiter_sleeps_until_its_deadline_and_leaves_no_trace) {
  TypeParam lock;
  lock.lock();
  const auto check = [&](auto point) {
    std::thread([&] {
      const auto cpu_before = cpu_time_of_this_thread();
      const auto start = steady_clock::now();
      EXPECT_FALSE(lock.try_lock_until(point));
      EXPECT_GE(decltype(point)::clock::now(), point);
      const auto waited = steady_clock::now() - start;
      EXPECT_LT(waited, 1s);  // a few milliseconds late at most on an idle machine
      EXPECT_LT(cpu_time_of_this_thread() - cpu_before, 10ms);
    }).join();
    EXPECT_EQ(word_of(lock), held_word);
  };
  check(steady_clock::now() + 30ms);
  check(system_clock::now() + 30ms);
  check(late_clock::now() + 30ms);
  lock.unlock();
}

TYPED_TEST(timed, a_waiter_gets_a_lock_that_comes_free_in_time) {
  TypeParam lock;
  lock.lock();
  watched_thread waiter([&] {
    ASSERT_TRUE(lock.try_lock_for(100s));
    lock.unlock();
  });
  waiter.await_sleep();
  lock.unlock();
  waiter.join();
  EXPECT_EQ(word_of(lock), free_word);
}

TYPED_TEST(timed, waiters_leave_from_the_front_the_middle_and_the_end_of_the_queue) {
  constexpr int places = 5;
  for (int leaving = 0; leaving < places; ++leaving) {
    TypeParam lock;
    std::atomic<int> served{0};
    std::atomic<bool> left{false};
    std::vector<std::unique_ptr<watched_thread>> queue;
    lock.lock();
    for (int place = 0; place < places; ++place) {
      queue.push_back(std::make_unique<watched_thread>([&, place] {
        if (place == leaving) {
          left = !lock.try_lock_for(200ms);
          if (left) return;
        } else {
          lock.lock();
        }
        ++served;
        lock.unlock();
      }));
      queue.back()->await_sleep();
    }
    queue[static_cast<std::size_t>(leaving)]->join();
    EXPECT_TRUE(left);
    lock.unlock();
    for (int place = 0; place < places; ++place) {
      if (place != leaving) queue[static_cast<std::size_t>(place)]->join();
    }
    EXPECT_EQ(served, places - 1);
    EXPECT_EQ(word_of(lock), free_word);
  }
}

TYPED_TEST(timed, deadlines_that_pass_during_the_hand_over_lose_neither_the_lock_nor_a_wake_up) {
  TypeParam lock;
  long updates = 0;
  std::atomic<long> taken{0};
  std::vector<std::thread> workers;
  for (int i = 0; i < 6; ++i) {
    workers.emplace_back([&, i] {
      for (int round = 0; round < 1500; ++round) {
        if (i % 2 == 0) {
          if (!lock.try_lock_for(std::chrono::microseconds((round * 7) % 120))) continue;
        } else {
          lock.lock();
        }
        ++updates;
        ++taken;
        if (round % 16 == 0) std::this_thread::yield();
        lock.unlock();
      }
    });
  }
  for (auto& worker : workers) worker.join();
  EXPECT_EQ(updates, taken);
  EXPECT_EQ(word_of(lock), free_word);
}

}  // namespace
}  // namespace hemlock::testing
