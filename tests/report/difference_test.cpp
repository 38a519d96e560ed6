#include "report/difference.hpp"

#include <gtest/gtest.h>

namespace hemlock::report {
namespace {

results with(const std::vector<double>& samples, better direction = better::higher) {
  results all;
  auto& one = all.experiments.emplace_back();
  one.name = "bench";
  one.x.name = "threads";
  one.direction = direction;
  one.in("mutex").at(4).samples = samples;
  return all;
}

TEST(difference, tells_worse_from_better_by_the_direction) {
  const auto slower = with({50, 51, 52, 53, 54}), faster = with({100, 101, 102, 103, 104});
  const auto down = diff_of(faster, slower);
  ASSERT_EQ(down.rows.size(), 1U);
  EXPECT_TRUE(down.rows[0].against.differs);
  EXPECT_NEAR(down.rows[0].ratio, 52.0 / 102, 1e-12);
  EXPECT_NEAR(down.rows[0].worsening(), 50.0 / 102, 1e-12);
  EXPECT_NEAR(down.geometric_mean, 52.0 / 102, 1e-12);
  EXPECT_TRUE(past(down.rows[0], 0.05));
  EXPECT_FALSE(past(down.rows[0], 0.60));
  EXPECT_FALSE(past(diff_of(slower, faster).rows[0], 0.05));
}

TEST(difference, of_times_counts_more_as_worse) {
  const auto all = diff_of(with({1, 1.01, 1.02, 1.03, 1.04}, better::lower),
                           with({2, 2.01, 2.02, 2.03, 2.04}, better::lower));
  EXPECT_NEAR(all.rows[0].worsening(), 2.02 / 1.02 - 1, 1e-12);
  EXPECT_NEAR(all.geometric_mean, 1.02 / 2.02, 1e-12);
}

TEST(difference, that_can_be_chance_is_never_past_a_threshold) {
  const auto all = diff_of(with({100, 90, 110, 95, 105}), with({93, 111, 88, 101, 85}));
  EXPECT_GT(all.rows[0].worsening(), 0.05);
  EXPECT_FALSE(past(all.rows[0], 0.05));
}

TEST(difference, of_too_few_samples_is_judged_by_the_medians_alone) {
  const auto all = diff_of(with({100}), with({50}));
  EXPECT_FALSE(all.rows[0].enough);
  EXPECT_TRUE(past(all.rows[0], 0.05));
}

TEST(difference, lists_what_is_in_one_file_only) {
  auto other = with({1, 2, 3, 4});
  other.experiments[0].series[0].name = "fifo";
  const auto all = diff_of(with({1, 2, 3, 4}), other);
  EXPECT_TRUE(all.rows.empty());
  EXPECT_EQ(all.only_before, std::vector<std::string>{"bench, mutex, 4"});
  EXPECT_EQ(all.only_after, std::vector<std::string>{"bench, fifo, 4"});
}

TEST(difference, treats_a_row_that_no_longer_works_as_past_any_threshold) {
  auto broken = with({});
  broken.experiments[0].in("mutex").at(4).failures = {"timed out"};
  const auto all = diff_of(with({1, 2, 3, 4}), broken);
  EXPECT_EQ(all.rows.at(0).failure, "timed out");
  EXPECT_TRUE(past(all.rows[0], 10));
}

TEST(threshold, is_a_percentage) {
  EXPECT_EQ(parse_threshold(">5%"), 0.05);
  EXPECT_EQ(parse_threshold("> 12.5%"), 0.125);
  EXPECT_EQ(parse_threshold("5%"), 0.05);
  for (const char* wrong : {"", ">", "5", ">>x%", "<5%", "-3%", "five%", "5%%", "nan%", "5>%"})
    EXPECT_EQ(parse_threshold(wrong), std::nullopt) << wrong;
}

TEST(holm_correction, agrees_with_hand_computed_values) {
  // Sorted 0.01, 0.03, 0.04 times 3, 2, 1, and never smaller than the one before.
  EXPECT_EQ(holm(std::vector<double>{0.04, 0.01, 0.03}), (std::vector<double>{0.06, 0.03, 0.06}));
  EXPECT_EQ(holm(std::vector<double>{0.9, 0.8}), (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace hemlock::report
