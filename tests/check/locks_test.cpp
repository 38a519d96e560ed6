// Every lock through every scenario, the changes that must break it, and locks known to be broken.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "check/controls.hpp"
#include "check/runner.hpp"
#include "check/world.hpp"
#include "hemlock/registry.hpp"

using namespace hemlock::check;
namespace order = hemlock::order;

namespace {

bool full_size() {
  const char* size = std::getenv("HEMLOCK_TEST_SIZE");
  return size != nullptr && std::string_view(size) == "full";
}

const check_case& find(const std::string& name) {
  for (const auto& each : all_cases())
    if (each.name() == name) return each;
  throw std::invalid_argument(name);
}

/// A program of two threads from two functions.
template <class Shared, class Body>
class small_program final : public program {
public:
  explicit small_program(Body body) : body_(body) {}
  [[nodiscard]] unsigned threads() const override { return 2; }
  void make() override { shared_ = checked<true>::create<Shared>(); }
  void run(unsigned thread) override { body_(*shared_, thread); }
  std::string finish() override { return ""; }

private:
  Body body_;
  Shared* shared_ = nullptr;
};

template <class Shared, class Body>
violation check_small(Body body) {
  small_program<Shared, Body> one(body);
  return explore(one, settings{}).wrong;
}

/// Drepper's mutex: 0 free, 1 held, 2 held with waiters. A waiter that leaves 1 behind loses a wake-up.
struct futex_mutex {
  checked<true>::atomic<std::uint32_t> word{0};

  void section(bool marks) {
    std::uint32_t free = 0;
    if (!word.compare_exchange_strong(free, 1, order::acquire<"lock">, order::relaxed<"lock-not">)) {
      const std::uint32_t mark = marks ? 2 : 1;
      while (word.exchange(mark, order::acquire<"wait">) != 0) checked<true>::park(word, mark);
    }
    if (word.exchange(0, order::release<"unlock">) == 2) checked<true>::unpark_one(&word);
  }
};

}  // namespace

TEST(check, every_lock_has_the_verdict_its_traits_promise_in_every_scenario) {
  std::vector<job> jobs;
  for (const auto& each : all_cases())
    if (full_size() || !each.full_only) jobs.push_back({&each, {}, full_size(), 0});
  const auto results = run_all(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(static_cast<bool>(results[i].wrong), jobs[i].what->expected_to_fail)
        << jobs[i].what->name() << ": " << name_of(results[i].wrong.kind) << ": " << results[i].wrong.text;
    const bool known_to_be_large = full_size() || quick_limit(*jobs[i].what) < 1'000'000;
    EXPECT_TRUE(results[i].complete || known_to_be_large) << jobs[i].what->name() << " reached its limit";
  }
}

TEST(check, every_lock_of_the_registry_is_in_every_scenario_that_applies_to_it) {
  std::map<std::string, std::set<std::string>> scenarios;
  for (const auto& each : all_cases()) scenarios[each.lock].insert(each.scenario);
  hemlock::for_each_lock<checked<true>>([&]<class Lock>() {
    const auto& own = scenarios[std::string(Lock::traits.name)];
    for (const char* each : {"one-lock", "thread-end", "nested", "hand-over-hand", "multi-waiting",
                             "multi-waiting-reversed", "holder-waits", "destroy"})
      EXPECT_TRUE(own.contains(each)) << Lock::traits.name << ", " << each;
    EXPECT_EQ(own.contains("try-lock"), hemlock::has_try_lock<Lock>) << Lock::traits.name;
    EXPECT_EQ(own.contains("timed"), Lock::traits.name == "mutex" || Lock::traits.name == "fifo")
        << Lock::traits.name;
  });
}

TEST(check, every_negative_control_fails) {
  for (const auto& each : all_controls()) {
    const auto result = run(each);
    EXPECT_FALSE(result.failed_in.empty()) << each.lock << ", if " << each.what;
  }
}

TEST(check, a_violation_replays_to_the_same_end) {
  const job one{&find("hemlock-ctr/spin/one-lock/1+1"),
                {{"drained", mutation::answer, std::memory_order_relaxed, 0}}};
  const auto first = run(one);
  ASSERT_TRUE(first.wrong);
  const auto again = replay(replay_file(one, first));
  EXPECT_EQ(again.wrong.kind, first.wrong.kind);
  EXPECT_EQ(again.steps, first.steps);
}

TEST(check, exploring_twice_counts_the_same) {
  const job one{&find("hemlock-marked/spin/one-lock/2+1+1"), {}};
  EXPECT_EQ(run(one).states, run(one).states);
}

TEST(known_broken, a_ticket_lock_that_serves_relaxed_is_caught) {
  const auto result =
      run(job{&find("ticket/spin/one-lock/1+1"), {{"serve", mutation::order, std::memory_order_relaxed, 0}}});
  EXPECT_EQ(result.wrong.kind, violation_kind::data_race);
}

TEST(known_broken, mcs_that_hands_over_relaxed_is_caught) {
  const auto result = run(
      job{&find("mcs/spin/one-lock/1+1"), {{"baton-pass", mutation::order, std::memory_order_relaxed, 0}}});
  EXPECT_EQ(result.wrong.kind, violation_kind::data_race);
}

TEST(known_broken, a_futex_mutex_that_forgets_its_waiters_loses_a_wake_up) {
  EXPECT_FALSE(check_small<futex_mutex>([](futex_mutex& m, unsigned) { m.section(true); }));
  const auto forgetful = check_small<futex_mutex>([](futex_mutex& m, unsigned) { m.section(false); });
  EXPECT_EQ(forgetful.kind, violation_kind::deadlock) << forgetful.text;
}
