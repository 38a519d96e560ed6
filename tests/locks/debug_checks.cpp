// The mistakes that a debug build names. The checks are a parameter of the World, so that this file needs no macro.
#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "hemlock/locks/hemlock_ctr.hpp"
#include "hemlock/locks/mcs.hpp"
#include "hemlock/world/native.hpp"

namespace hemlock::test {
namespace {

using checked = native<waiting::yield, checks::ownership>;
using released = native<waiting::yield, checks::none>;

static_assert(sizeof(hemlock_ctr<checked>) == sizeof(hemlock_ctr<released>),
              "a lock has the same size in every build");

TEST(debug_checks_death, name_an_unlock_that_nobody_is_entitled_to) {
  EXPECT_DEATH(
      {
        hemlock_ctr<checked> lock;
        lock.unlock();
      },
      "hemlock-ctr lock at 0x[0-9a-f]+: unlocked, but nobody holds it \\(thread [0-9]+\\)");
}

TEST(debug_checks_death, name_an_unlock_by_a_thread_that_does_not_hold_the_lock) {
  EXPECT_DEATH(
      {
        mcs<checked> lock;
        lock.lock();
        std::thread([&] { lock.unlock(); }).join();
      },
      "mcs lock at 0x[0-9a-f]+: unlocked by a thread that does not hold it \\(thread [0-9]+, holder "
      "[0-9]+\\)");
}

TEST(debug_checks_death, name_a_second_lock_by_the_holder) {
  EXPECT_DEATH(
      {
        hemlock_ctr<checked> lock;
        lock.lock();
        lock.lock();
      },
      "hemlock-ctr lock at 0x[0-9a-f]+: locked again by the thread that already holds it");
}

TEST(debug_checks_death, name_the_destruction_of_a_held_lock) {
  EXPECT_DEATH(
      {
        auto lock = std::make_unique<hemlock_ctr<checked>>();
        lock->lock();
        lock.reset();
      },
      "hemlock-ctr lock at 0x[0-9a-f]+: destroyed while it is held \\(thread [0-9]+, holder [0-9]+\\)");
}

TEST(debug_checks, say_nothing_about_correct_use) {
  hemlock_ctr<checked> lock;
  long count = 0;
  std::thread threads[4];
  for (auto& thread : threads)
    thread = std::thread([&] {
      for (int round = 0; round < 200; ++round) {
        lock.lock();
        ++count;
        lock.unlock();
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(count, 800);
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
}

}  // namespace
}  // namespace hemlock::test
