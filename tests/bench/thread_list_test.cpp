#include "bench/thread_list.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "bench/sections.hpp"
#include "hemlock/platform/cpu_budget.hpp"

namespace hemlock::bench {
namespace {

using counts = std::vector<int>;
using namespace std::chrono_literals;

std::string complaint_about(const std::string& text) {
  try {
    parse_thread_list(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(thread_list, a_range_with_a_factor_multiplies) {
  EXPECT_EQ(parse_thread_list("1,2,4-64x2"), (counts{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(parse_thread_list("3-100x3"), (counts{3, 9, 27, 81}));
}

TEST(thread_list, a_range_without_a_factor_counts) {
  EXPECT_EQ(parse_thread_list("3-6"), (counts{3, 4, 5, 6}));
  EXPECT_EQ(parse_thread_list("7-7"), (counts{7}));
}

TEST(thread_list, a_trailing_c_multiplies_by_the_cpus) {
  const int cpus = cpu_budget();
  EXPECT_EQ(parse_thread_list("3c"), (counts{3 * cpus}));
  EXPECT_EQ(parse_thread_list("1c-4cx2"), (counts{cpus, 2 * cpus, 4 * cpus}));
}

TEST(thread_list, is_ascending_and_without_repetitions) {
  EXPECT_EQ(parse_thread_list("8,1-4,2"), (counts{1, 2, 3, 4, 8}));
}

TEST(thread_list, says_which_part_is_wrong_and_what_is_expected) {
  for (const std::string wrong : {"", "0", "-3", "x", "1,,2", "1,", "4-", "4-2", "1-8x1", "1-8x", "1-8y2",
                                  "5000", "1.5", "2 ", "99999999999999999999", "c", "5000c", "1-8x2c"}) {
    const auto text = complaint_about(wrong);
    EXPECT_NE(text.find("1,2,4-64x2"), std::string::npos) << "'" << wrong << "' gave: " << text;
  }
  EXPECT_NE(complaint_about("1,4-2").find("'4-2'"), std::string::npos);
}

TEST(duration, is_in_seconds_unless_it_says_otherwise) {
  EXPECT_EQ(parse_duration("10"), 10s);
  EXPECT_EQ(parse_duration("10s"), 10s);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("40us"), 40us);
  EXPECT_EQ(parse_duration("2m"), 2min);
}

TEST(duration, refuses_what_is_none) {
  for (const auto* wrong : {"", "s", "-1", "ten", "1h", "nan", "inf", "1e30", "25000m"})
    EXPECT_THROW(parse_duration(wrong), std::invalid_argument) << wrong;
}

TEST(section, is_read_as_it_is_written) {
  for (const auto* text : {"empty", "5", "uniform:400"}) EXPECT_EQ(to_string(parse_section(text)), text);
  EXPECT_TRUE(parse_section("0").empty());
  EXPECT_EQ(parse_section("uniform:400"), moderate_contention.other);
}

TEST(section, refuses_what_is_none) {
  for (const auto* wrong : {"", "five", "-1", "uniform:", "uniform:0", "uniform:x", "5 "})
    EXPECT_THROW(parse_section(wrong), std::invalid_argument) << wrong;
}

TEST(section, draws_lengths_below_its_bound_and_reaches_both_ends) {
  std::mt19937 own(7);
  const auto drawn = parse_section("uniform:4");
  std::array<int, 4> seen{};
  for (int i = 0; i < 1000; ++i) ++seen.at(length_of(drawn, own));
  for (const int times : seen) EXPECT_GT(times, 100);
}

}  // namespace
}  // namespace hemlock::bench
