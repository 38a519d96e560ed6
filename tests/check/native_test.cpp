// The checker's scenarios once more, as a stress test of the locks that ship: the same classes in the native World.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check/scenarios.hpp"
#include "check/scenarios_condition.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native.hpp"

using namespace hemlock;
using namespace hemlock::check;

namespace {

using world_type = native<waiting::automatic>;

template <class Scenario>
void stress(const char* what, const shape& how, int rounds = 200) {
  for (int round = 0; round < rounds; ++round) {
    const auto one = std::make_unique<Scenario>(how);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < how.threads; ++t) threads.emplace_back([&one, t] { one->run(t); });
    for (auto& each : threads) each.join();
    ASSERT_EQ(one->finish(), "") << what << ", round " << round;
  }
}

}  // namespace

TEST(scenarios, hold_for_every_lock_on_the_machine_itself) {
  for_each_lock<world_type>([]<class Lock>() {
    SCOPED_TRACE(Lock::traits.name);
    stress<one_lock<Lock>>("one-lock", {50, 50, 50});
    stress<nested<Lock>>("nested", {20, 20, 20});
    stress<hand_over_hand<Lock>>("hand-over-hand", {20, 20, 20});
    stress<multi_waiting<Lock, true>>("multi-waiting", {20, 20, 20});
    stress<multi_waiting<Lock, false>>("multi-waiting-reversed", {20, 20, 20});
    stress<holder_waits<Lock>>("holder-waits", {1, 20, 20, 20});
    if constexpr (has_try_lock<Lock>) stress<try_lock_races<Lock>>("try-lock", {20, 20, 20});
    if constexpr (requires(Lock & one) { one.try_lock_for(std::chrono::microseconds(1)); })
      stress<timed_waits<Lock>>("timed", {20, 20, 20});
    if constexpr (Lock::traits.prompt_destruction_safe) stress<destroyed_by_last<Lock>>("destroy", {1, 1, 1});
  });
}

TEST(scenarios, hold_for_the_condition_variable_on_the_machine_itself) {
  stress<condition_waits<world_type, notifying::one>>("notify-one", {1, 1, 1, 1});
  stress<condition_waits<world_type, notifying::one_inside>>("notify-inside", {1, 1, 1, 1});
  stress<condition_waits<world_type, notifying::all>>("notify-all", {1, 1, 1, 1});
  stress<condition_waits<world_type, notifying::any>>("notify-any", {1, 1, 1, 1});
  stress<condition_waits<world_type, notifying::one_or_never>>("timed-wait", {1, 1, 1, 1});
  stress<condition_waits<world_type, notifying::stop>>("stop", {1, 1, 1, 1});
}
