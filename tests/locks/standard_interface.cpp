// Every lock works with the standard library's guards, directly if it is context-free, else through its handle.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "hemlock/locks/lock_handle.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native_rcu.hpp"
#include "support/run_threads.hpp"

namespace hemlock::test {
namespace {

// The guards do not see the waiting policy, so that one is enough here.
using world_under_test = native_rcu<waiting::automatic>;

/// What a thread gives to a guard: the lock itself, or a handle of its own.
template <class Lock>
class grip {
public:
  explicit grip(Lock& lock) : handle_(lock), lock_(lock) {}
  auto& lockable() {
    if constexpr (Lock::traits.context_free)
      return lock_;
    else
      return handle_;
  }

private:
  lock_handle<Lock> handle_;
  Lock& lock_;
};

TEST(standard_interface, lock_guard_unique_lock_and_scoped_lock_work_with_every_lock) {
  for_each_lock<world_under_test>([]<class Lock>() {
    SCOPED_TRACE(Lock::traits.name);
    Lock lock;
    long count = 0;
    run_threads(3, [&](int) {
      grip<Lock> mine(lock);
      for (int round = 0; round < 100; ++round) {
        {
          const std::lock_guard guard(mine.lockable());
          ++count;
        }
        {
          std::unique_lock guard(mine.lockable(), std::defer_lock);
          guard.lock();
          ++count;
        }
        {
          const std::scoped_lock guard(mine.lockable());
          ++count;
        }
      }
    });
    EXPECT_EQ(count, 3 * 3 * 100);
  });
}

TEST(standard_interface, scoped_lock_takes_several_locks_in_any_order_without_deadlock) {
  for_each_lock<world_under_test>([]<class Lock>() {
    if constexpr (has_try_lock<Lock>) {
      SCOPED_TRACE(Lock::traits.name);
      Lock first, second, third;
      long count = 0;
      run_threads(4, [&](int thread) {
        grip<Lock> one(first), two(second), three(third);
        for (int round = 0; round < 200; ++round) {
          if (thread % 2 == 0) {
            const std::scoped_lock guard(one.lockable(), two.lockable(), three.lockable());
            ++count;
          } else {
            const std::scoped_lock guard(three.lockable(), two.lockable(), one.lockable());
            ++count;
          }
        }
      });
      EXPECT_EQ(count, 4 * 200);
    }
  });
}

TEST(standard_interface, condition_variable_any_waits_with_every_lock) {
  for_each_lock<world_under_test>([]<class Lock>() {
    SCOPED_TRACE(Lock::traits.name);
    Lock lock;
    std::condition_variable_any changed;
    int turn = 0;
    constexpr int rounds = 100;
    run_threads(2, [&](int thread) {
      grip<Lock> mine(lock);
      for (int round = 0; round < rounds; ++round) {
        std::unique_lock guard(mine.lockable());
        changed.wait(guard, [&] { return turn % 2 == thread; });
        ++turn;
        changed.notify_one();
      }
    });
    EXPECT_EQ(turn, 2 * rounds);
  });
}

// What an algorithm cannot offer, the compiler refuses.
template <class Lock>
concept works_with_lock_guard = requires(Lock& lock) {
  lock.lock();
  lock.unlock();
};
static_assert(!has_try_lock<clh<world_under_test>>);
static_assert(!works_with_lock_guard<hemlock_stack<world_under_test>>);
static_assert(works_with_lock_guard<lock_handle<hemlock_stack<world_under_test>>>);

}  // namespace
}  // namespace hemlock::test
