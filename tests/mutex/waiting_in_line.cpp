// Who comes next, and for how long one can be made to wait.
#include <memory>
#include <mutex>

#include "mutex/both_mutexes.hpp"

namespace hemlock::testing {
namespace {

using namespace std::chrono_literals;

TEST(fifo_mutex, admits_threads_in_the_order_of_their_arrival) {
  fifo_mutex lock;
  std::vector<int> order;
  std::vector<std::unique_ptr<watched_thread>> threads;
  lock.lock();
  for (int i = 0; i < 8; ++i) {
    threads.push_back(std::make_unique<watched_thread>([&, i] {
      const std::lock_guard guard(lock);
      order.push_back(i);
    }));
    threads.back()->await_sleep();
  }
  lock.unlock();
  for (auto& thread : threads) thread->join();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(fifo_mutex, cannot_be_taken_past_a_waiter) {
  fifo_mutex lock;
  bool waiter_came_first = false;
  lock.lock();
  watched_thread waiter([&] {
    const std::lock_guard guard(lock);
    waiter_came_first = true;
  });
  waiter.await_sleep();
  lock.unlock();
  lock.lock();
  EXPECT_TRUE(waiter_came_first);
  lock.unlock();
  waiter.join();
}

TEST(mutex, lets_a_running_thread_take_the_lock_past_those_who_sleep) {
  mutex lock;
  lock.lock();
  watched_thread waiter([&] { const std::lock_guard guard(lock); });
  waiter.await_sleep();
  // Sometimes the waiter wakes fast enough to win; that we never win would be FIFO.
  bool overtook = false;
  for (int attempt = 0; attempt < 100 && !overtook; ++attempt) {
    lock.unlock();
    overtook = lock.try_lock();
    if (!overtook) lock.lock();
  }
  EXPECT_TRUE(overtook);
  lock.unlock();
  waiter.join();
}

TEST(mutex, hands_the_lock_over_to_a_waiter_that_a_busy_thread_keeps_overtaking) {
  mutex lock;
  std::atomic<bool> stop{false}, running{false};
  std::thread hog([&] {
    while (!stop.load(std::memory_order_relaxed)) {
      const std::lock_guard guard(lock);
      running = true;
      const auto end = std::chrono::steady_clock::now() + 20us;  // held nearly all of the time
      while (std::chrono::steady_clock::now() < end) {
      }
    }
  });
  while (!running) std::this_thread::yield();
  const auto start = std::chrono::steady_clock::now();
  constexpr int turns = 20;
  for (int turn = 0; turn < turns; ++turn) const std::lock_guard guard(lock);
  const auto waited = std::chrono::steady_clock::now() - start;
  stop = true;
  hog.join();
  // A millisecond each is the bound; fifty leave room for a loaded machine and for sanitizers.
  EXPECT_LT(waited / turns, 50ms);
}

}  // namespace
}  // namespace hemlock::testing
