#include "report/comparison.hpp"

#include <gtest/gtest.h>

#include "report/machine_warnings.hpp"

namespace hemlock::report {
namespace {

/// Times of two locks at one place, native the baseline.
experiment times(std::vector<double> native, std::vector<double> mutex) {
  experiment one;
  one.name = "compare time";
  one.x.labels = {"time"};
  one.y = {"time", "s"};
  one.direction = better::lower;
  one.baseline = "native";
  one.in("native").at(0).samples = std::move(native);
  one.in("mutex").at(0).samples = std::move(mutex);
  return one;
}

TEST(comparison, is_oriented_so_that_more_than_one_is_good) {
  const std::vector<double> slow = {2, 2.1, 2.2, 2.3}, fast = {1, 1.05, 1.1, 1.15};
  EXPECT_NEAR(compare(fast, slow, better::lower).ratio, 2, 1e-12);
  EXPECT_NEAR(compare(slow, fast, better::higher).ratio, 2, 1e-12);
  EXPECT_TRUE(compare(fast, slow, better::lower).differs);
}

TEST(comparison, needs_four_runs_against_four) {
  EXPECT_FALSE(enough_to_tell(3, 3));
  EXPECT_TRUE(enough_to_tell(4, 4));
  EXPECT_FALSE(enough_to_tell(1, 30));
  EXPECT_FALSE(enough_to_tell(0, 10));
}

TEST(comparison, shows_a_wide_interval_by_its_ends) {
  EXPECT_EQ(ratio_text({1.21, {1.18, 1.23}, 0.01, true}), "1.21 ± 0.03");
  EXPECT_EQ(ratio_text({1.01, {0.52, 8.1}, 0.9, false}), "1.01 (0.52 … 8.10)");
}

TEST(verdict, names_the_faster_one_with_ratio_and_interval) {
  EXPECT_EQ(verdict(times({2.4, 2.4, 2.4, 2.4, 2.4}, {2, 2, 2, 2, 2})),
            "mutex is 1.200 ± 0.000 times as fast as native.");
  const auto sentence = verdict(times({2.38, 2.41, 2.40, 2.42, 2.39}, {2.01, 1.99, 2.00, 2.02, 1.98}));
  EXPECT_EQ(sentence, "mutex is 1.20 ± 0.02 times as fast as native.");
}

TEST(verdict, says_so_when_the_native_lock_is_the_faster_one) {
  EXPECT_EQ(verdict(times({1, 1.01, 1.02, 1.03, 1.04}, {2, 2.02, 2.04, 2.06, 2.08})).substr(0, 12),
            "native is 2.");
}

TEST(verdict, sees_no_difference_where_there_is_none) {
  EXPECT_EQ(verdict(times({1, 1.1, 0.9, 1.05, 0.95}, {1.02, 0.93, 1.07, 0.97, 1.08})),
            "No difference can be seen between native and mutex.");
}

TEST(verdict, asks_for_more_runs_where_so_few_show_nothing) {
  EXPECT_NE(verdict(times({2, 2}, {1, 1})).find("use at least 4"), std::string::npos);
}

TEST(verdict, tells_a_quantity_of_which_less_is_better_as_it_is) {
  auto memory = times({200, 200, 200, 200}, {100, 100, 100, 100});
  memory.y = {"memory", "B"};
  EXPECT_EQ(verdict(memory), "mutex has 0.500 ± 0.000 times the memory of native.");
}

TEST(verdict, of_counted_values_needs_no_runs) {
  auto counted = times({16}, {8});
  counted.exact = true;
  counted.y = {"space", "B"};
  EXPECT_EQ(verdict(counted), "mutex has 0.50 times the space of native.");
}

TEST(verdict, makes_no_ratio_to_nothing) {
  auto waits = times({0, 0, 0, 0}, {3, 3, 3, 3});
  EXPECT_EQ(verdict(waits), "native has 0 s, where mutex has 3 s.");
  auto done = times({0, 0, 0, 0}, {3, 3, 3, 3});
  done.direction = better::higher;
  EXPECT_EQ(verdict(done), "mutex has 3 s, where native has 0 s.");
  EXPECT_EQ(verdict(times({0, 0, 0, 0}, {0, 0, 0, 0})), "native and mutex are equal: 0 s.");
  for (const auto& one : {waits, done})
    for (const auto& row : ranking(one, 0)) {
      if (row.has_ratio) {
        EXPECT_EQ(ratio_text(row.against), "–");
      }
    }
}

TEST(ranking, puts_the_best_first_and_the_failed_last) {
  auto one = times({3, 3, 3}, {2, 2, 2});
  one.in("broken").at(0).failures = {"exit code 1"};
  one.in("slow").at(0).samples = {9, 9, 9};
  std::vector<std::string> order;
  for (const auto& row : ranking(one, 0)) order.push_back(row.line->name);
  EXPECT_EQ(order, (std::vector<std::string>{"mutex", "native", "slow", "broken"}));
}

TEST(warnings, point_out_noise_outliers_and_failures_with_a_remedy) {
  auto one = times({1, 2, 3, 4, 5}, {1, 1.01, 1.02, 1.03, 50});
  one.in("broken").at(0).failures = {"exit code 1"};
  const auto found = sample_warnings(one);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NE(found[0].what.find("native"), std::string::npos);
  EXPECT_NE(found[1].what.find("outliers: mutex"), std::string::npos);
  for (const auto& each : found) EXPECT_TRUE(each.what.starts_with("compare time: ")) << each.what;
  EXPECT_NE(found[2].what.find("1 run failed"), std::string::npos);
  for (const auto& each : found) EXPECT_FALSE(each.remedy.empty());
}

TEST(warnings, of_the_machine_name_what_disturbs) {
  machine facts;
  facts.cpus_online = 4;
  EXPECT_TRUE(machine_warnings(facts).empty());
  facts.load_average = {3.0, 1.0, 1.0};
  facts.cgroup_quota = 1.5;
  facts.governor = "powersave";
  facts.sanitizer = "thread";
  EXPECT_EQ(machine_warnings(facts).size(), 4U);
}

}  // namespace
}  // namespace hemlock::report
