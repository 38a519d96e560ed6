#include "bench/study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace hemlock::bench {
namespace {

using values = std::optional<std::vector<std::optional<double>>>;

/// Three locks at two thread counts, writing down in which order they were measured.
study noting(std::vector<std::string>& order) {
  study all;
  all.figures.push_back({.name = "first", .title = "", .shows = ""});
  all.figures.push_back({.name = "second", .title = "", .shows = ""});
  for (const auto* lock : {"a", "b", "c"})
    for (const double threads : {1.0, 2.0})
      all.trials.push_back(
          {.series = lock, .x = threads, .marks = {}, .once = [&order, lock, threads](std::uint64_t) {
             order.push_back(lock + std::to_string(static_cast<int>(threads)));
             return values{{threads, std::nullopt}};
           }});
  return all;
}

TEST(study, every_run_has_every_trial_once) {
  std::vector<std::string> order;
  auto all = noting(order);
  EXPECT_TRUE(conduct(all, 5, 1, {}));
  ASSERT_EQ(order.size(), 30U);
  for (std::size_t run = 0; run < 5; ++run) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(run * 6);
    EXPECT_EQ(std::set<std::string>(first, first + 6).size(), 6U) << "run " << run;
  }
  EXPECT_EQ(all.figures[0].find("b")->find(2)->samples, std::vector<double>(5, 2.0));
}

TEST(study, the_order_is_shuffled_and_the_seed_repeats_it) {
  std::vector<std::string> once, again, other;
  auto first = noting(once);
  auto second = noting(again);
  auto third = noting(other);
  conduct(first, 4, 42, {});
  conduct(second, 4, 42, {});
  conduct(third, 4, 43, {});
  EXPECT_EQ(once, again);
  EXPECT_NE(once, other);
  EXPECT_FALSE(std::is_sorted(once.begin(), once.begin() + 6) &&
               std::equal(once.begin(), once.begin() + 6, once.begin() + 6))
      << "every run had the same order";
}

TEST(study, series_stand_in_the_order_of_the_locks_whatever_the_shuffle) {
  std::vector<std::string> order;
  auto all = noting(order);
  conduct(all, 1, 99, {});
  ASSERT_EQ(all.figures[0].series.size(), 3U);
  EXPECT_EQ(all.figures[0].series[0].name, "a");
  EXPECT_EQ(all.figures[0].series[2].name, "c");
}

TEST(study, a_figure_shows_only_what_has_a_value_in_it) {
  std::vector<std::string> order;
  auto all = noting(order);
  conduct(all, 1, 1, {});
  EXPECT_TRUE(all.figures[1].series.empty());
}

TEST(study, a_trial_that_is_not_run_stays_with_its_mark) {
  study all;
  all.figures.push_back({.name = "f", .title = "", .shows = ""});
  all.trials.push_back({.series = "ticket/spin", .x = 64, .marks = {"not run"}});
  EXPECT_TRUE(conduct(all, 3, 1, {}));
  const auto* point = all.figures[0].find("ticket/spin")->find(64);
  ASSERT_NE(point, nullptr);
  EXPECT_TRUE(point->samples.empty());
  EXPECT_EQ(point->marks, std::vector<std::string>{"not run"});
}

TEST(study, a_trial_that_fails_says_why_and_the_others_go_on) {
  study all;
  all.figures.push_back({.name = "f", .title = "", .shows = ""});
  all.trials.push_back({.series = "bad", .x = 1, .marks = {}, .once = [](std::uint64_t) -> values {
                          throw std::runtime_error("no room");
                        }});
  all.trials.push_back(
      {.series = "good", .x = 1, .marks = {}, .once = [](std::uint64_t) { return values{{3.0}}; }});
  EXPECT_TRUE(conduct(all, 2, 1, {}));
  EXPECT_EQ(all.figures[0].find("bad")->find(1)->failures, (std::vector<std::string>{"no room", "no room"}));
  EXPECT_EQ(all.figures[0].find("good")->find(1)->samples.size(), 2U);
}

TEST(study, an_interruption_keeps_what_was_measured) {
  std::vector<std::string> order;
  auto all = noting(order);
  watcher watch;
  watch.interrupted = [&] { return order.size() == 8; };
  EXPECT_FALSE(conduct(all, 5, 1, watch));
  EXPECT_EQ(order.size(), 8U);
  std::size_t samples = 0;
  for (const auto& line : all.figures[0].series)
    for (const auto& point : line.points) samples += point.samples.size();
  EXPECT_EQ(samples, 8U);
}

}  // namespace
}  // namespace hemlock::bench
