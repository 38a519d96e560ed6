// Who comes first gets in first, where a lock says so; and try_lock neither lies nor disturbs.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "support/any_lock.hpp"
#include "support/event.hpp"
#include "support/observed_world.hpp"
#include "support/run_threads.hpp"

namespace hemlock::test {
namespace {

/// Threads that arrive at a lock one after the other, each seen to have passed its doorstep before the next starts.
class arrivals {
public:
  arrivals(any_lock& lock, std::string_view doorstep) : lock_(lock), doorstep_(doorstep) {}

  void add() {
    const int number = static_cast<int>(threads_.size());
    event at_doorstep;
    threads_.emplace_back([this, number, &at_doorstep] {
      const auto mine = lock_.grip();
      bool arrived = false;
      {
        const observing watch([&](const observation& seen) {
          if (arrived || seen.when != moment::after || seen.label != doorstep_) return;
          arrived = true;
          at_doorstep.happen();
        });
        mine->lock();
      }
      admitted_.push_back(number);
      mine->unlock();
    });
    at_doorstep.await();
  }

  /// In the order in which they got in.
  const std::vector<int>& finish() {
    for (auto& thread : threads_) thread.join();
    return admitted_;
  }

private:
  any_lock& lock_;
  std::string_view doorstep_;
  std::deque<std::thread> threads_;
  std::vector<int> admitted_;  // protected by the lock itself
};

constexpr int waiters = 6;

void expect_in_order_of_arrival(const std::vector<int>& admitted) {
  ASSERT_EQ(admitted.size(), static_cast<std::size_t>(waiters));
  EXPECT_TRUE(std::is_sorted(admitted.begin(), admitted.end())) << ::testing::PrintToString(admitted);
}

bool can_be_taken_by_another_thread(any_lock& lock) {
  bool taken = false;
  std::thread([&] {
    const auto mine = lock.grip();
    taken = mine->try_lock();
    if (taken) mine->unlock();
  }).join();
  return taken;
}

class fifo_admission : public ::testing::TestWithParam<lock_case> {};
class fifo_admission_with_tries : public ::testing::TestWithParam<lock_case> {};
class try_lock : public ::testing::TestWithParam<lock_case> {};

TEST_P(fifo_admission, is_in_the_order_of_arrival) {
  const auto lock = GetParam().make();
  const auto mine = lock->grip();
  arrivals queue(*lock, GetParam().facts.doorstep);
  mine->lock();
  for (int i = 0; i < waiters; ++i) queue.add();
  mine->unlock();
  expect_in_order_of_arrival(queue.finish());
}

TEST_P(fifo_admission_with_tries, is_not_disturbed_by_failing_ones) {
  const auto lock = GetParam().make();
  const auto mine = lock->grip();
  arrivals queue(*lock, GetParam().facts.doorstep);
  mine->lock();
  for (int i = 0; i < waiters; ++i) {
    EXPECT_FALSE(can_be_taken_by_another_thread(*lock));
    queue.add();
  }
  EXPECT_FALSE(can_be_taken_by_another_thread(*lock));
  mine->unlock();
  expect_in_order_of_arrival(queue.finish());
  EXPECT_TRUE(mine->try_lock());
  mine->unlock();
}

TEST_P(try_lock, succeeds_when_the_lock_is_free_and_fails_when_it_is_held) {
  const auto lock = GetParam().make();
  const auto mine = lock->grip();
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(can_be_taken_by_another_thread(*lock));
    ASSERT_TRUE(mine->try_lock());
    EXPECT_FALSE(can_be_taken_by_another_thread(*lock));
    mine->unlock();
    mine->lock();
    EXPECT_FALSE(can_be_taken_by_another_thread(*lock));
    mine->unlock();
  }
}

TEST_P(try_lock, excludes_those_who_wait) {
  const auto lock = GetParam().make();
  long count = 0;
  std::atomic<long> taken{0};
  constexpr int rounds = 500;
  run_threads(4, [&](int thread) {
    const auto mine = lock->grip();
    for (int round = 0; round < rounds; ++round) {
      if (thread % 2 == 0)
        mine->lock();
      else if (!mine->try_lock())
        continue;
      ++count;
      taken.fetch_add(1, std::memory_order_relaxed);
      mine->unlock();
    }
  });
  EXPECT_EQ(count, taken.load());
  EXPECT_GE(count, 2 * rounds);
}

const auto is_fifo = [](const lock_facts& facts) { return facts.fifo; };
const auto tries = [](const lock_facts& facts) { return facts.try_lock; };
const auto is_fifo_and_tries = [](const lock_facts& facts) { return facts.fifo && facts.try_lock; };

INSTANTIATE_TEST_SUITE_P(every_fifo_lock, fifo_admission,
                         ::testing::ValuesIn(those(observed_locks(), is_fifo)), case_name{});
INSTANTIATE_TEST_SUITE_P(every_fifo_lock, fifo_admission_with_tries,
                         ::testing::ValuesIn(those(observed_locks(), is_fifo_and_tries)), case_name{});
INSTANTIATE_TEST_SUITE_P(every_lock_that_tries, try_lock, ::testing::ValuesIn(those(patient_locks(), tries)),
                         case_name{});

}  // namespace
}  // namespace hemlock::test
