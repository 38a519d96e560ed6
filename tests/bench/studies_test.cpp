// Every study, on few locks and for milliseconds: it ends, and has a sample wherever one is due.
#include "bench/studies/studies.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "bench/catalogue.hpp"
#include "hemlock/platform/cpu_budget.hpp"
#include "hemlock/world/native_rcu.hpp"

namespace hemlock::bench {
namespace {

using namespace std::chrono_literals;

setup brief(const std::vector<std::string>& locks, std::vector<int> threads,
            const std::vector<std::string>& waits = {"auto"}) {
  setup how;
  how.locks = choose(locks, waits);
  how.threads = std::move(threads);
  how.runs = 1;
  how.duration = 10ms;
  return how;
}

const std::vector<std::string> two{"hemlock-ctr", "mcs"};

/// Every series of the figure has a positive sample at every x.
bool is_complete(const report::experiment& figure, std::size_t series, std::size_t points) {
  if (figure.series.size() != series) return false;
  for (const auto& line : figure.series) {
    if (line.points.size() != points) return false;
    for (const auto& point : line.points)
      if (!point.failures.empty() || point.samples.size() != 1 || point.samples[0] <= 0) return false;
  }
  return true;
}

std::string what_is_there(const report::experiment& figure) {
  std::string text = figure.name;
  for (const auto& line : figure.series) {
    text += "\n  " + line.name + ":";
    for (const auto& point : line.points) {
      text += " " + std::to_string(point.x) + " =";
      for (const double value : point.samples) text += " " + std::to_string(value);
      for (const auto& failure : point.failures) text += " [" + failure + "]";
    }
  }
  return text;
}

/// On a busy machine a thread may not run at all within milliseconds: then the study is made again, for longer.
template <class Make>
study complete_study(setup how, Make make, std::size_t series, std::size_t points) {
  for (how.duration = 10ms;; how.duration *= 5) {
    auto all = make(how);
    EXPECT_TRUE(conduct(all, 1, 1, {}));
    bool complete = true;
    for (const auto& figure : all.figures) complete = complete && is_complete(figure, series, points);
    if (complete) return all;
    if (how.duration < 1s) continue;
    for (const auto& figure : all.figures)
      EXPECT_TRUE(is_complete(figure, series, points)) << what_is_there(figure);
    return all;
  }
}

TEST(studies, mutexbench_measures_throughput_and_cpu_time) {
  for (const auto& load : {maximum_contention, moderate_contention}) {
    auto how = brief(two, {1, 2, 4});
    how.load = load;
    const auto all = complete_study(how, mutexbench_study, 2, 3);
    EXPECT_EQ(all.figures.size(), 2U);
  }
}

TEST(studies, every_lock_of_the_family_and_every_peer_ends_a_run_with_more_threads_than_cpus) {
  auto how = brief({"all", "peers"}, {2 * cpu_budget()}, {"auto", "yield", "park"});
  how.spin_limit = 1;  // the peers that only spin are named, not run
  how.duration = 2ms;
  auto all = mutexbench_study(how);
  ASSERT_TRUE(conduct(all, 1, 1, {}));
  std::set<std::string> seen;
  for (const auto& line : all.figures[0].series) {
    seen.insert(line.name);
    for (const auto& point : line.points) {
      EXPECT_TRUE(point.failures.empty()) << line.name;
      EXPECT_EQ(point.samples.size(), point.marks.empty() ? 1U : 0U) << line.name;
    }
  }
  EXPECT_EQ(seen.size(), how.locks.size());
}

TEST(studies, pure_spinning_with_more_threads_than_cpus_is_marked_and_beyond_the_limit_not_run) {
  const int cpus = cpu_budget();
  auto how = brief({"ticket"}, {cpus, cpus + 1, 3 * cpus}, {"spin"});
  how.spin_limit = 2;
  auto all = mutexbench_study(how);
  ASSERT_TRUE(conduct(all, 1, 1, {}));
  const auto& points = all.figures[0].series.at(0).points;
  ASSERT_EQ(points.size(), 3U);
  EXPECT_TRUE(points[0].marks.empty());
  EXPECT_EQ(points[1].marks.size(), 1U);
  EXPECT_EQ(points[1].samples.size(), 1U);
  EXPECT_EQ(points[2].marks.size(), 2U);
  EXPECT_TRUE(points[2].samples.empty());
}

TEST(studies, multiwait_counts_the_leaders_steps) {
  const auto all = complete_study(brief(two, {1, 4}), multiwait_study, 2, 2);
  EXPECT_EQ(all.figures.size(), 1U);
}

TEST(studies, fairness_knows_shares_waits_and_gaps) {
  auto how = brief({"ticket"}, {2});
  how.load = moderate_contention;
  // A first-come first-served lock cannot starve anybody, so every figure has a value for it.
  const auto all = complete_study(how, fairness_study, 1, 1);
  ASSERT_EQ(all.figures.size(), 6U);
  const auto& jain = all.figures[1].find("ticket")->find(2)->samples.at(0);
  EXPECT_GE(jain, 0.5);
  EXPECT_LE(jain, 1.0);
}

TEST(studies, the_token_goes_round_in_every_way_of_waiting) {
  const auto make = [](const setup& how) {
    return ring_study(how, {"load", "cas", "swap", "faa"}, {"auto", "yield"});
  };
  const auto all = complete_study(brief(two, {1, 2, 3}), make, 8, 3);
  EXPECT_EQ(all.figures.size(), 1U);
}

TEST(studies, latency_stands_beside_a_bare_pair_of_read_modify_writes) {
  const auto all = complete_study(brief(two, {1}), latency_study, 3, 1);
  EXPECT_NE(all.figures[0].find("pair of RMWs"), nullptr);
}

TEST(studies, a_bucket_with_a_small_lock_takes_less_memory) {
  const auto make = [](const setup& how) { return space_study(how, 200'000); };
  const auto all = complete_study(brief({"hemlock-ctr", "std::mutex"}, {2}), make, 2, 1);
  const auto bytes = [&](const char* lock) { return all.figures[0].find(lock)->find(2)->samples.at(0); };
  EXPECT_NEAR(bytes("hemlock-ctr"), 16, 4);
  EXPECT_NEAR(bytes("std::mutex"), 48, 4);
}

TEST(studies, a_table_that_does_not_fit_is_a_failure_in_words_not_a_killed_process) {
  auto all = space_study(brief({"hemlock-ctr"}, {1}), std::size_t{1} << 50);
  ASSERT_TRUE(conduct(all, 1, 1, {}));
  const auto& failures = all.figures[0].find("hemlock-ctr")->find(1)->failures;
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_NE(failures[0].find("--buckets"), std::string::npos) << failures[0];
}

TEST(studies, condition_variables_wake_whom_they_must) {
  const auto make = [](const setup& how) { return condvar_study(how, known_condvar_pairs()); };
  const auto all = complete_study(brief(two, {1}), make, known_condvar_pairs().size(), 4);
  EXPECT_EQ(all.figures.size(), 1U);
}

TEST(studies, peers_show_both_loads_with_shares_waits_and_cpu_time) {
  auto all = peers_study(brief({"hemlock-ctr", "std::mutex"}, {2}));
  ASSERT_TRUE(conduct(all, 1, 1, {}));
  ASSERT_EQ(all.figures.size(), 16U);
  for (const auto& figure : all.figures) EXPECT_EQ(figure.baseline, "std::mutex") << figure.name;
  EXPECT_EQ(all.figures[0].series.size(), 2U);
  EXPECT_EQ(all.figures[8].series.size(), 2U);
}

}  // namespace
}  // namespace hemlock::bench
