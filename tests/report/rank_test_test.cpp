#include "report/rank_test.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hemlock::report {
namespace {

using samples = std::vector<double>;

TEST(mann_whitney, counts_the_arrangements_of_small_sets) {
  // 2 of C(6,3) = 20 arrangements are as far apart.
  const auto apart = mann_whitney(samples{1, 2, 3}, samples{4, 5, 6});
  EXPECT_TRUE(apart.exact);
  EXPECT_DOUBLE_EQ(apart.u, 0);
  EXPECT_DOUBLE_EQ(apart.p_value, 0.1);
  // U = 2 of 5 and 5: (1 + 1 + 2) of 252 on either side.
  const auto near = mann_whitney(samples{1, 2, 3, 4, 7}, samples{5, 6, 8, 9, 10});
  EXPECT_DOUBLE_EQ(near.u, 2);
  EXPECT_NEAR(near.p_value, 8.0 / 252, 1e-12);
}

TEST(mann_whitney, does_not_care_which_set_comes_first) {
  const samples a = {1, 5, 6.5, 9}, b = {2, 3, 4, 10, 11};
  const auto forth = mann_whitney(a, b), back = mann_whitney(b, a);
  EXPECT_DOUBLE_EQ(forth.u + back.u, 20);
  EXPECT_DOUBLE_EQ(forth.p_value, back.p_value);
}

// The example of SciPy's manual for scipy.stats.mannwhitneyu: U = 17, p = 0.1111.
TEST(mann_whitney, agrees_with_scipys_example) {
  const auto ages = mann_whitney(samples{19, 22, 16, 29, 24}, samples{20, 11, 17, 12});
  EXPECT_DOUBLE_EQ(ages.u, 17);
  EXPECT_NEAR(ages.p_value, 0.1111111111111111, 1e-12);
}

// R: wilcox.test(Ozone ~ Month, data = airquality, subset = Month %in% c(5, 8)): W = 127.5, p = 0.0001208, ties.
TEST(mann_whitney, agrees_with_r_on_samples_with_ties) {
  const samples may = {41, 36, 12, 18, 28, 23, 19, 8, 7,  16, 11, 14,  18,
                       14, 34, 6,  30, 11, 1,  11, 4, 32, 23, 45, 115, 37};
  const samples august = {39, 9,  16, 78, 35, 66, 122, 89,  110, 44, 28,  65, 22,
                          59, 23, 31, 44, 21, 9,  45,  168, 73,  76, 118, 84, 85};
  const auto ozone = mann_whitney(may, august);
  EXPECT_FALSE(ozone.exact);
  EXPECT_DOUBLE_EQ(ozone.u, 127.5);
  EXPECT_NEAR(ozone.p_value, 0.0001208, 5e-8);
}

TEST(mann_whitney, sees_no_difference_between_equal_sets) {
  EXPECT_DOUBLE_EQ(mann_whitney(samples{5, 5, 5}, samples{5, 5, 5}).p_value, 1);
  EXPECT_DOUBLE_EQ(mann_whitney(samples{}, samples{1, 2}).p_value, 1);
}

}  // namespace
}  // namespace hemlock::report
