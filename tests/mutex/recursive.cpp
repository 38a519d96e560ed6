// A mutex that its holder may lock again.
#include <mutex>

#include "hemlock/condition_variable.hpp"
#include "hemlock/guards.hpp"
#include "hemlock/recursive_mutex.hpp"
#include "mutex/both_mutexes.hpp"

namespace hemlock::testing {
namespace {

using namespace std::chrono_literals;

TEST(recursive_mutex, is_free_for_others_only_after_as_many_unlocks_as_locks) {
  recursive_mutex lock;
  const auto free_for_others = [&] {
    bool taken = false;
    std::thread([&] {
      taken = lock.try_lock();
      if (taken) lock.unlock();
    }).join();
    return taken;
  };
  lock.lock();
  lock.lock();
  ASSERT_TRUE(lock.try_lock());
  ASSERT_TRUE(lock.try_lock_for(1ms));
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(free_for_others()) << "after " << i << " unlocks";
    lock.unlock();
  }
  EXPECT_TRUE(free_for_others());
}

TEST(recursive_mutex, a_timed_wait_for_another_threads_lock_ends) {
  recursive_mutex lock;
  lock.lock();
  std::thread([&] {
    EXPECT_FALSE(lock.try_lock_for(5ms));
    EXPECT_FALSE(lock.try_lock_until(std::chrono::steady_clock::now() + 5ms));
  }).join();
  lock.unlock();
}

TEST(recursive_mutex, no_update_is_lost_at_any_depth) {
  recursive_mutex lock;
  long updates = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&] {
      for (int round = 0; round < 2000; ++round) {
        const std::lock_guard outer(lock);
        const std::lock_guard inner(lock);
        ++updates;
      }
    });
  }
  for (auto& worker : workers) worker.join();
  EXPECT_EQ(updates, 4 * 2000);
}

TEST(guards, hold_for_a_scope_and_wait_on_conditions) {
  mutex lock;
  condition_variable changed;
  {
    const lock_guard<mutex> guard(lock);
    EXPECT_EQ(word_of(lock), held_word);
  }
  {
    unique_lock<mutex> guard(lock);
    EXPECT_EQ(changed.wait_for(guard, 1ms), std::cv_status::timeout);
    guard.unlock();
    EXPECT_EQ(word_of(lock), free_word);
    guard.lock();
  }
  EXPECT_EQ(word_of(lock), free_word);
}

}  // namespace
}  // namespace hemlock::testing
