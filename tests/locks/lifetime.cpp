// Locks and threads may end as soon as they may: nothing is touched afterwards. The address sanitizer's build of this
// file is what makes it sharp.
#include <gtest/gtest.h>

#include <mutex>

#include "hemlock/platform/tsan.hpp"
#include "hemlock/world/waiting.hpp"
#include "support/any_lock.hpp"
#include "support/run_threads.hpp"

namespace hemlock::test {
namespace {

class lifetime : public ::testing::TestWithParam<lock_case> {};
class prompt_destruction : public ::testing::TestWithParam<lock_case> {};

TEST_P(lifetime, lets_two_thousand_threads_end_right_after_their_unlock) {
#if defined(HEMLOCK_TSAN)
  // What it is about is for AddressSanitizer, and ThreadSanitizer takes milliseconds to start a thread.
  if (GetParam().policy != waiting::automatic::name) GTEST_SKIP() << "one policy stands for all";
#endif
  constexpr int threads = 2000, at_a_time = 8;
  const auto lock = GetParam().make();
  long count = 0;
  for (int started = 0; started < threads; started += at_a_time)
    run_threads(at_a_time, [&](int) {
      const auto mine = lock->grip();
      const std::scoped_lock guard(*mine);
      ++count;
    });
  EXPECT_EQ(count, threads);
}

TEST_P(lifetime, begins_in_zeroed_memory_without_a_constructor) {
  const auto lock = GetParam().make_from_zeroes();
  long count = 0;
  run_threads(4, [&](int) {
    const auto mine = lock->grip();
    for (int round = 0; round < 100; ++round) {
      const std::scoped_lock guard(*mine);
      ++count;
    }
  });
  EXPECT_EQ(count, 400);
}

/// The paper's: an object that contains its lock and a count of those who use it; the last one out frees it at once.
TEST_P(prompt_destruction, is_safe_for_the_last_one_out) {
  constexpr int users = 4, objects = 150;
  for (int object = 0; object < objects; ++object) {
    any_lock* const lock = GetParam().make().release();
    int using_it = users;
    run_threads(users, [&](int) {
      const auto mine = lock->grip();
      mine->lock();
      const bool last = --using_it == 0;
      mine->unlock();
      if (last) delete lock;
    });
  }
}

const auto is_safe = [](const lock_facts& facts) { return facts.prompt_destruction_safe; };

INSTANTIATE_TEST_SUITE_P(every_lock, lifetime, ::testing::ValuesIn(patient_locks()), case_name{});
INSTANTIATE_TEST_SUITE_P(every_lock_that_promises_it, prompt_destruction,
                         ::testing::ValuesIn(those(patient_locks(), is_safe)), case_name{});

}  // namespace
}  // namespace hemlock::test
