// The recorder against a program of which everything is known. TRUTH prints what it measured itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "recording.hpp"

namespace hemlock::profile {
namespace {

/// Times that the program measured, from the inside and from the outside of what the recorder times.
struct bounds {
  std::vector<std::uint64_t> inside;
  std::vector<std::uint64_t> outside;

  /// In all, within a tenth.
  void expect_sum(std::uint64_t time, const char* what) const {
    const auto sum = [](const auto& all) {
      double total = 0;
      for (const auto one : all) total += static_cast<double>(one);
      return total;
    };
    EXPECT_GE(static_cast<double>(time), 0.9 * sum(inside)) << what;
    EXPECT_LE(static_cast<double>(time), 1.1 * sum(outside)) << what;
  }

  void add(const bounds& others) {
    inside.insert(inside.end(), others.inside.begin(), others.inside.end());
    outside.insert(outside.end(), others.outside.begin(), others.outside.end());
  }

  /// One by one, from the longest, within a bucket.
  void expect_histogram(const histogram& counts, const char* what) {
    std::vector<std::size_t> buckets;
    for (std::size_t i = 0; i < bucket_count; ++i)
      buckets.insert(buckets.begin(), static_cast<std::size_t>(counts[i]), i);
    ASSERT_EQ(buckets.size(), inside.size()) << what;
    std::sort(inside.rbegin(), inside.rend());
    std::sort(outside.rbegin(), outside.rend());
    for (std::size_t i = 0; i < inside.size(); ++i) {
      EXPECT_GE(buckets[i] + 1, bucket_of(inside[i])) << what << ' ' << i;
      EXPECT_LE(buckets[i], bucket_of(outside[i]) + 1) << what << ' ' << i;
    }
  }
};

class GroundTruth : public ::testing::Test {
protected:
  static constexpr std::uint64_t rounds = 10;

  void check_busy(const profile& all) {
    const auto* const busy = find(all, "g_busy");
    ASSERT_NE(busy, nullptr) << text_of(all, {});
    EXPECT_EQ(&all.locks.front(), busy) << "it is the one that hurts";
    EXPECT_EQ(busy->acquisitions, 2 * rounds + 1);
    EXPECT_EQ(busy->contended, rounds);
    EXPECT_EQ(busy->owner_changes, 2 * rounds);
    EXPECT_EQ(busy->try_failures, 7U);
    EXPECT_EQ(busy->timeouts, 1U);
    EXPECT_EQ(busy->longest_queue, 1U);

    waits.expect_sum(busy->wait, "waiting");
    waits.expect_histogram(busy->waits, "wait");
    bounds all_holds = holds;
    all_holds.add(other_holds);
    all_holds.expect_histogram(busy->holds, "hold");

    // Who waited where, and who let them wait: all of it is one function's.
    std::uint64_t waited_there = 0;
    for (const auto& part : busy->waiters)
      if (innermost(all, part.stack) == "patient_waiter") waited_there += part.time;
    EXPECT_EQ(waited_there, busy->wait);
    EXPECT_EQ(innermost(all, busy->waiters.front().stack), "patient_waiter");
    ASSERT_FALSE(busy->blamed_at.empty());
    EXPECT_EQ(innermost(all, busy->blamed_at.front().stack), "slow_holder");
    waits.expect_sum(busy->blamed_at.front().time, "waiting for slow_holder");
    EXPECT_EQ(busy->blamed_at.front().count, rounds);
    const auto held_there =
        std::find_if(busy->holders.begin(), busy->holders.end(),
                     [&](const stack_part& part) { return innermost(all, part.stack) == "slow_holder"; });
    ASSERT_NE(held_there, busy->holders.end());
    EXPECT_EQ(held_there->count, rounds);
    holds.expect_sum(held_there->time, "holding");
  }

  void check_others(const profile& all) const {
    const auto* const quiet = find(all, "g_quiet");
    ASSERT_NE(quiet, nullptr);
    EXPECT_EQ(quiet->acquisitions, 100'000U);
    EXPECT_EQ(quiet->contended, 0U);
    EXPECT_EQ(quiet->wait, 0U);
    std::uint64_t stands_for = 0;
    for (const auto count : quiet->holds) stands_for += count;
    EXPECT_NEAR(static_cast<double>(stands_for), 100'000, 1000) << "the sampled holds stand for all";

    const auto* const shard = find(all, "g_table.shards[3].mutex_");
    ASSERT_NE(shard, nullptr) << text_of(all, {});
    EXPECT_EQ(shard->acquisitions, 5U);
    const auto* const deposit = find(all, "account::mutex");
    ASSERT_NE(deposit, nullptr) << "a lock in an object is named by the object's class";
    EXPECT_EQ(deposit->acquisitions, 12U);
    EXPECT_EQ(deposit->site.rfind("make_deposit", 0), 0U) << deposit->site;
    const auto* const gate = find(all, "g_gate");
    ASSERT_NE(gate, nullptr);
    EXPECT_EQ(gate->condition_waits, 3U);
  }

  static void check_order(const profile& all) {
    ASSERT_EQ(all.cycles.size(), 1U);
    EXPECT_FALSE(all.cycles.front().one_thread);
    EXPECT_FALSE(all.cycles.front().guarded);
    EXPECT_EQ(all.cycles.front().edges.size(), 2U);
    for (const auto edge : all.cycles.front().edges) {
      const auto& name = all.locks[all.edges[edge].from].name;
      EXPECT_TRUE(name == "g_first" || name == "g_second") << name;
      EXPECT_EQ(innermost(all, all.edges[edge].stack), name == "g_first" ? "forward" : "backward");
    }
    EXPECT_EQ(all.most_held, 2U);
    EXPECT_EQ(all.nested_calls, 2U);
    EXPECT_EQ(all.most_followers, 1U);
  }

  void check_all(const profile& all) {
    check_busy(all);
    check_others(all);
    check_order(all);
    EXPECT_TRUE(all.warnings.empty()) << all.warnings.front();
  }

  void run_truth(const std::string& how, const std::string& environment = "") {
    end = record(where, TRUTH " " + how, environment);
    std::istringstream lines{end.out};
    std::string word;
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
    while (lines >> word) {
      if (word != "wait" && word != "hold" && word != "other") continue;
      lines >> inside >> outside;
      bounds& into = word == "wait" ? waits : word == "hold" ? holds : other_holds;
      into.inside.push_back(inside);
      into.outside.push_back(outside);
    }
    ASSERT_EQ(waits.inside.size(), rounds) << end.out;
    ASSERT_EQ(holds.inside.size(), rounds) << end.out;
  }

  profile loaded() const { return load(where.file(), grouping::lock, order_by::wait); }

  scratch where;
  finished end;
  bounds waits;
  bounds holds;
  bounds other_holds;
};

TEST_F(GroundTruth, IsFoundInAProgramThatEndsByItself) {
  run_truth("");
  EXPECT_EQ(end.status, 0);
  const auto all = loaded();
  EXPECT_TRUE(all.closed);
  check_all(all);
}

TEST_F(GroundTruth, IsOnDiskAfterSigkill) {
  run_truth("kill");
  const auto all = loaded();
  EXPECT_FALSE(all.closed);
  check_all(all);
}

TEST_F(GroundTruth, IsOnDiskAfterSigsegv) {
  run_truth("segv");
  const auto all = loaded();
  EXPECT_FALSE(all.closed);
  check_all(all);
}

TEST_F(GroundTruth, IsOnDiskAfterUnderscoreExit) {
  run_truth("_exit");
  check_all(loaded());
}

TEST_F(GroundTruth, AForkedChildHasAFileOfItsOwnAndTheParentKeepsIts) {
  run_truth("fork");
  EXPECT_EQ(end.status, 0);
  const auto all = loaded();
  check_all(all);
  ASSERT_EQ(all.other_processes.size(), 1U);
  const auto child = load(all.other_processes.front(), grouping::lock, order_by::wait);
  const auto* const deposit = find(child, "account::mutex");
  ASSERT_NE(deposit, nullptr);
  EXPECT_EQ(deposit->acquisitions, 9U);
}

TEST_F(GroundTruth, IsFoundWithAFifoLockToo) {
  run_truth("", "HEMLOCK_LOCK=hemlock-futex");
  const auto all = loaded();
  EXPECT_STREQ(all.header.lock, "hemlock-futex");
  check_all(all);
}

/// The two have words of their own in a mutex.
TEST_F(GroundTruth, IsFoundWhileHemlockStatsCountsToo) {
  run_truth("", "HEMLOCK_STATS=1");
  check_all(loaded());
  EXPECT_NE(end.out.find(" locks seen, "), std::string::npos) << end.out;
}

}  // namespace
}  // namespace hemlock::profile
