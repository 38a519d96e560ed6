#include "bench/wait_histogram.hpp"

#include <gtest/gtest.h>

namespace hemlock::bench {
namespace {

TEST(wait_histogram, small_values_are_exact) {
  wait_histogram waits;
  for (std::uint64_t i = 1; i <= 60; ++i) waits.add(i);
  EXPECT_EQ(waits.quantile(0.5), 30U);
  EXPECT_EQ(waits.quantile(1.0), 60U);
  EXPECT_EQ(waits.longest(), 60U);
}

TEST(wait_histogram, any_quantile_is_within_a_thirty_second) {
  wait_histogram waits;
  for (std::uint64_t i = 1; i <= 100'000; ++i) waits.add(i * 37);
  for (const double share : {0.01, 0.25, 0.5, 0.9, 0.999}) {
    const double exact = share * 100'000 * 37;
    const auto seen = static_cast<double>(waits.quantile(share));
    EXPECT_GE(seen, exact * 0.999) << share;
    EXPECT_LE(seen, exact * (1 + 1.0 / 32) + 37) << share;
  }
}

TEST(wait_histogram, one_slow_in_a_thousand_does_not_move_the_percentile_below_it) {
  wait_histogram waits;
  for (int i = 0; i < 9'995; ++i) waits.add(50);
  for (int i = 0; i < 5; ++i) waits.add(1'000'000);
  EXPECT_EQ(waits.quantile(0.999), 50U);
  EXPECT_EQ(waits.longest(), 1'000'000U);
}

TEST(wait_histogram, the_sum_of_two_has_the_waits_of_both) {
  wait_histogram one, other;
  one.add(10);
  other.add(5'000'000'000);
  one.add(other);
  EXPECT_EQ(one.total(), 2U);
  EXPECT_EQ(one.longest(), 5'000'000'000U);
  EXPECT_EQ(one.quantile(0.5), 10U);
}

TEST(wait_histogram, days_are_counted_in_the_last_bucket_and_never_outside) {
  wait_histogram waits;
  waits.add(~std::uint64_t{0});
  EXPECT_EQ(waits.total(), 1U);
  EXPECT_EQ(waits.longest(), ~std::uint64_t{0});
}

TEST(wait_histogram, without_waits_there_is_no_wait) {
  EXPECT_EQ(wait_histogram{}.quantile(0.999), 0U);
}

}  // namespace
}  // namespace hemlock::bench
