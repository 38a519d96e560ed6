// Interleavings told step by step: the lock under test is the shipped template in the observed World, and each thread is
// stopped exactly where the story needs it.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "hemlock/locks/hemlock_overlap.hpp"
#include "support/any_lock.hpp"
#include "support/event.hpp"
#include "support/observed_world.hpp"

namespace hemlock::test {
namespace {

// ---- Prompt destruction ------------------------------------------------------------------------------------------

/// T1 holds the lock; T2 has arrived behind it. T1 unlocks, and is stopped right after the step that passes the lock on; or,
/// `late`, just before its next step on the lock itself, and T2 is kept at its doorstep until then. T2 locks, unlocks, and
/// would now free the lock. T1 goes on. Returns whether T1 then still touches the lock's own bytes.
bool unlock_touches_the_lock_after_passing_it(const lock_case& kind, bool late) {
  const auto lock = kind.make();
  event t1_locked, t2_arrived, t2_may_go_on, t2_is_done;
  std::thread t2([&] {
    t1_locked.await();
    const auto theirs = lock->grip();
    {
      const observing watch([&](const observation& seen) {
        if (seen.when != moment::after || seen.label != kind.facts.doorstep) return;
        t2_arrived.happen();
        if (late) t2_may_go_on.await();
      });
      theirs->lock();
    }
    theirs->unlock();
    t2_is_done.happen();
  });
  const auto let_t2_come_and_go = [&] {
    t2_may_go_on.happen();
    t2_is_done.await();
  };
  bool passed = false, touched = false;
  const auto mine = lock->grip();
  mine->lock();
  t1_locked.happen();
  t2_arrived.await();
  {
    const observing watch([&](const observation& seen) {
      if (passed && seen.address >= lock->begin() && seen.address < lock->end()) {
        if (late) let_t2_come_and_go();
        touched = true;
      }
      if (seen.when == moment::after && seen.label == kind.facts.hand_over && !passed) {
        if (!late) let_t2_come_and_go();
        passed = true;
      }
    });
    mine->unlock();
  }
  EXPECT_TRUE(passed) << "the story was not told: unlock never came to " << kind.facts.hand_over;
  EXPECT_TRUE(t2_is_done.has_happened());
  t2.join();
  return touched;
}

class hand_over : public ::testing::TestWithParam<lock_case> {};
class hasty_hand_over : public ::testing::TestWithParam<lock_case> {};

TEST_P(hand_over, is_the_last_touch_of_a_lock_that_its_next_holder_may_destroy) {
  EXPECT_FALSE(unlock_touches_the_lock_after_passing_it(GetParam(), false));
}
TEST_P(hasty_hand_over, is_followed_by_a_touch_of_a_lock_that_may_be_gone) {
  // hemlock-ah: T1 passes (store to Grant). T2 takes, unlocks, frees. T1 departs (CAS of Tail): a use after free.
  EXPECT_TRUE(unlock_touches_the_lock_after_passing_it(GetParam(), true));
}

// Only under a policy that does not sleep: T1, stopped where it is, could not wake T2.
std::vector<lock_case> told_without_sleep(bool prompt) {
  std::vector<lock_case> chosen;
  for (const auto& one : observed_locks())
    if (one.policy == "yield" && !one.facts.hand_over.empty() && one.facts.prompt_destruction_safe == prompt)
      chosen.push_back(one);
  return chosen;
}
INSTANTIATE_TEST_SUITE_P(every_prompt_lock, hand_over, ::testing::ValuesIn(told_without_sleep(true)),
                         case_name{});
INSTANTIATE_TEST_SUITE_P(every_other_lock, hasty_hand_over, ::testing::ValuesIn(told_without_sleep(false)),
                         case_name{});

// ---- Overlap -----------------------------------------------------------------------------------------------------

/// T1 holds L and T2 waits behind it. T1 unlocks: its Grant now says L. T2 sees that, and is stopped before it empties the
/// mailbox. Then T1 locks L again; what happens differs between the tests below.
class overlap_story {
public:
  using lock_type = hemlock_overlap<observed<native<waiting::yield>>>;

  overlap_story() : t2_([this] { play_t2(); }) {}
  ~overlap_story() { t2_.join(); }

  /// By T1's thread: up to the point where T1 is about to lock again.
  void begin() {
    lock.lock();
    t1_holds_.happen();
    t2_arrived_.await();
    lock.unlock();
    t2_stopped_.await();
  }

  void enter() {
    const int now = inside.fetch_add(1) + 1;
    if (now == 2) two_inside.happen();
  }
  void leave() { inside.fetch_sub(1); }

  lock_type lock;
  event t2_may_answer, t2_may_leave, two_inside;
  std::atomic<int> inside{0};

private:
  void play_t2() {
    t1_holds_.await();
    {
      const observing watch([this](const observation& seen) {
        if (seen.when == moment::after && seen.label == "arrive") t2_arrived_.happen();
        if (seen.when == moment::before && seen.label == "empty") {
          t2_stopped_.happen();
          t2_may_answer.await();
        }
      });
      lock.lock();
    }
    enter();
    t2_may_leave.await();
    leave();
    lock.unlock();
  }

  event t1_holds_, t2_arrived_, t2_stopped_;
  std::thread t2_;
};

TEST(hemlock_overlap, waits_on_arrival_while_its_last_hand_over_of_the_same_lock_is_unanswered) {
  overlap_story story;
  story.t2_may_leave.happen();
  std::thread([&] {
    story.begin();
    int looks = 0;
    {
      const observing watch([&](const observation& seen) {
        if (seen.label == "arrive") {
          EXPECT_TRUE(story.t2_may_answer.has_happened()) << "arrived before the answer";
        }
        if (seen.when == moment::after && seen.label == "unanswered" && ++looks == 5)
          story.t2_may_answer.happen();
      });
      story.lock.lock();
    }
    EXPECT_GE(looks, 5) << "did not wait";
    story.enter();
    story.leave();
    story.lock.unlock();
  }).join();
  EXPECT_FALSE(story.two_inside.has_happened());
}

TEST(hemlock_overlap, would_let_two_threads_in_without_the_wait_on_arrival) {
#if defined(HEMLOCK_TSAN)
  GTEST_SKIP() << "ThreadSanitizer reports, rightly, that two threads hold the lock";
#endif
  overlap_story story;
  event t1_arrived_again;
  std::thread t3([&] {
    t1_arrived_again.await();
    story.lock
        .lock();  // behind T1, in whose Grant it finds the L that was meant for T2: it is inside at once
    story.enter();
    story.t2_may_answer.happen();  // T2 has seen the same L, and enters as well
    story.two_inside.await();
    story.leave();
    story.lock.unlock();
    story.t2_may_leave.happen();
  });
  std::thread t1([&] {
    story.begin();
    {
      const observing watch([&](const observation& seen) {
        if (seen.when == moment::after && seen.label == "arrive") t1_arrived_again.happen();
      });
      blinded_label = "unanswered";  // the mutation: T1 does not see that its Grant still says L
      story.lock.lock();
    }
    // The queue is broken now. T1 passes L to nobody, and must not wait at its end for an answer.
    blinded_label = "drained";
    story.lock.unlock();
  });
  story.two_inside.await();
  t3.join();
  t1.join();
}

}  // namespace
}  // namespace hemlock::test
