#include "report/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace hemlock::report {
namespace {

using samples = std::vector<double>;

const samples one_to_ten = {7, 3, 10, 1, 5, 2, 9, 4, 8, 6};

TEST(quantiles, agree_with_hand_computed_values) {
  EXPECT_DOUBLE_EQ(median(samples{3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median(samples{4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(median(samples{42}), 42);
}

// R: quantile(1:10)
TEST(quantiles, agree_with_r) {
  EXPECT_DOUBLE_EQ(quantile(one_to_ten, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(one_to_ten, 0.25), 3.25);
  EXPECT_DOUBLE_EQ(quantile(one_to_ten, 0.5), 5.5);
  EXPECT_DOUBLE_EQ(quantile(one_to_ten, 0.75), 7.75);
  EXPECT_DOUBLE_EQ(quantile(one_to_ten, 1), 10);
}

TEST(quantiles, of_nothing_are_not_a_number) {
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(summarise({}).median));
}

TEST(geometric_mean, of_a_doubling_and_a_halving_is_one) {
  EXPECT_DOUBLE_EQ(geometric_mean(samples{2, 0.5}), 1);
  EXPECT_NEAR(geometric_mean(samples{1, 10, 100}), 10, 1e-12);
}

TEST(geometric_mean, is_refused_for_what_is_not_positive) {
  EXPECT_TRUE(std::isnan(geometric_mean(samples{1, 0})));
  EXPECT_TRUE(std::isnan(geometric_mean(samples{1, -2})));
  EXPECT_TRUE(std::isnan(geometric_mean({})));
}

TEST(jain_index, runs_from_one_over_n_to_one) {
  EXPECT_DOUBLE_EQ(jain_index(samples{5, 5, 5, 5}), 1);
  EXPECT_DOUBLE_EQ(jain_index(samples{8, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_index(samples{1, 2, 3}), 36.0 / (3 * 14));
  EXPECT_DOUBLE_EQ(jain_index(samples{0, 0}), 1);
}

TEST(bootstrap, is_the_same_for_the_same_seed_and_differs_for_another) {
  const samples uneven = {1, 1.7, 2.9, 3.1, 4.4, 5.3, 8.8};
  const auto first = bootstrap_median(uneven, 1), again = bootstrap_median(uneven, 1);
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
  const auto ratio = bootstrap_ratio(uneven, one_to_ten, 1), other = bootstrap_ratio(uneven, one_to_ten, 2);
  EXPECT_TRUE(ratio.low != other.low || ratio.high != other.high);
}

// With n distinct samples the chance that the resampled median is the smallest one is known; for n = 3 it is
// P(at least two of three draws are the smallest) = 7/27, far above a tail of 2.5 %.
TEST(bootstrap, of_three_samples_reaches_from_the_smallest_to_the_largest) {
  const auto range = bootstrap_median(samples{10, 20, 30}, 7);
  EXPECT_EQ(range.low, 10);
  EXPECT_EQ(range.high, 30);
}

// For n = 9: P(median at or below the second smallest) = P(Binomial(9, 2/9) >= 5) = 0.0304, and for the smallest
// alone P(Binomial(9, 1/9) >= 5) = 0.0014; so the 2.5 % point is the second smallest.
TEST(bootstrap, of_nine_samples_ends_at_the_second_from_either_side) {
  samples nine(9);
  std::iota(nine.begin(), nine.end(), 1);
  const auto range = bootstrap_median(nine, 3, 0.95, 20000);
  EXPECT_EQ(range.low, 2);
  EXPECT_EQ(range.high, 8);
}

TEST(bootstrap, of_equal_samples_is_a_point) {
  const auto range = bootstrap_ratio(samples{4, 4, 4}, samples{2, 2}, 1);
  EXPECT_EQ(range.low, 2);
  EXPECT_EQ(range.high, 2);
}

TEST(outliers, are_those_beyond_the_outer_fences) {
  // Quartiles 3.25 and 7.75: the fences are at -10.25 and 21.25.
  samples some = one_to_ten;
  EXPECT_TRUE(outliers(some).empty());
  some[4] = 1000;
  EXPECT_EQ(outliers(some), std::vector<std::size_t>{4});
}

TEST(outliers, are_not_sought_among_four) {
  EXPECT_TRUE(outliers(samples{1, 1, 1, 1000}).empty());
}

TEST(noise, is_judged_by_the_relative_interquartile_range) {
  EXPECT_NEAR(relative_spread(one_to_ten), 4.5 / 5.5, 1e-15);
  EXPECT_EQ(noise_of(one_to_ten), noise::excessive);
  EXPECT_EQ(noise_of(samples{100, 101, 102}), noise::quiet);
  EXPECT_EQ(noise_of(samples{100, 110, 120}), noise::noticeable);
  EXPECT_EQ(noise_of(samples{100}), noise::quiet);
  EXPECT_EQ(noise_of({}), noise::quiet);
}

TEST(summary, holds_all_of_these) {
  const auto all = summarise(one_to_ten);
  EXPECT_EQ(all.count, 10U);
  EXPECT_DOUBLE_EQ(all.median, 5.5);
  EXPECT_DOUBLE_EQ(all.q1, 3.25);
  EXPECT_DOUBLE_EQ(all.q3, 7.75);
  EXPECT_DOUBLE_EQ(all.minimum, 1);
  EXPECT_DOUBLE_EQ(all.maximum, 10);
  EXPECT_LT(all.confidence.low, 5.5);
  EXPECT_GT(all.confidence.high, 5.5);
}

}  // namespace
}  // namespace hemlock::report
