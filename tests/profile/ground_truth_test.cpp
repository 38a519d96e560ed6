// The recorder against programs of which everything is known. TRUTH prints what it measured itself.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "profile/views.hpp"

namespace hemlock::profile {
namespace {

namespace fs = std::filesystem;

struct scratch {
  fs::path folder = fs::temp_directory_path() / ("hemlock-profile-" + std::to_string(::getpid()));
  scratch() { fs::create_directories(folder); }
  ~scratch() { fs::remove_all(folder); }
  std::string file() const { return (folder / "a.prof").string(); }
};

struct finished {
  int status = 0;
  std::string out;
};

finished run(const std::string& environment, const std::string& command) {
  const std::string line = "ulimit -c 0; " + environment + " timeout 60 " + command + " 2>/dev/null";
  finished end;
  std::FILE* const pipe = ::popen(line.c_str(), "r");
  char text[256];
  while (std::fgets(text, sizeof text, pipe) != nullptr) end.out += text;
  end.status = ::pclose(pipe);
  return end;
}

finished record(const scratch& where, const std::string& command) {
  return run("LD_PRELOAD=" RECORDER " HEMLOCK_PROFILE=" + where.file(), command);
}

const lock_view* find(const profile& all, std::string_view name) {
  for (const auto& lock : all.locks)
    if (lock.name.find(name) != std::string::npos) return &lock;
  return nullptr;
}

std::string innermost(const profile& all, const std::vector<stack_part>& parts) {
  if (parts.empty()) return "(nobody)";
  const auto stack = all.stacks.find(parts.front().stack);
  return stack == all.stacks.end() ? "(no stack)" : short_function(telling_frame(stack->second)->function);
}

class GroundTruth : public ::testing::Test {
protected:
  void check_all(const profile& all) const {
    const auto* const busy = find(all, "g_busy");
    ASSERT_NE(busy, nullptr) << text_of(all, {});
    EXPECT_EQ(busy->acquisitions, 41U);
    EXPECT_EQ(busy->contended, 20U);
    EXPECT_EQ(busy->try_failures, 7U);
    EXPECT_EQ(busy->timeouts, 1U);
    EXPECT_EQ(busy->longest_queue, 1U);
    // A tenth on a quiet machine; a bucket's width when threads are interrupted between their clock and ours.
    EXPECT_NEAR(static_cast<double>(busy->wait), waited, waited * 0.25);
    // Every second acquisition is the waiter's, who holds it for a moment.
    EXPECT_NEAR(static_cast<double>(busy->hold), held, held * 0.25);
    EXPECT_EQ(innermost(all, busy->blamed_at), "slow_holder");
    EXPECT_EQ(innermost(all, busy->waiters), "patient_waiter");
    // On a busy machine main's one hold may be the longest of all.
    const auto held_there = [&](const stack_part& part) { return innermost(all, {part}) == "slow_holder"; };
    EXPECT_TRUE(std::any_of(busy->holders.begin(), busy->holders.end(), held_there));
    EXPECT_GT(busy->blamed, busy->wait / 2);
    EXPECT_EQ(&all.locks.front(), busy) << "it is the one that hurts";
    std::uint64_t in_histogram = 0;
    for (const auto count : busy->waits) in_histogram += count;
    EXPECT_EQ(in_histogram, 20U);

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
    const auto* const deposit = find(all, "make_deposit");
    ASSERT_NE(deposit, nullptr) << "a lock on the heap is named by its site";
    EXPECT_EQ(deposit->acquisitions, 12U);
    const auto* const gate = find(all, "g_gate");
    ASSERT_NE(gate, nullptr);
    EXPECT_EQ(gate->condition_waits, 3U);

    ASSERT_EQ(all.cycles.size(), 1U);
    EXPECT_FALSE(all.cycles.front().one_thread);
    EXPECT_EQ(all.cycles.front().edges.size(), 2U);
    for (const auto edge : all.cycles.front().edges) {
      const auto& name = all.locks[all.edges[edge].from].name;
      EXPECT_TRUE(name == "g_first" || name == "g_second") << name;
    }
    EXPECT_EQ(all.most_held, 2U);
    EXPECT_EQ(all.nested_calls, 2U);
    EXPECT_EQ(all.most_followers, 1U);
    EXPECT_TRUE(all.warnings.empty()) << all.warnings.front();
  }

  void run_truth(const std::string& how) {
    end = record(where, TRUTH " " + how);
    ASSERT_EQ(std::sscanf(end.out.c_str(), "%lf %lf", &waited, &held), 2) << end.out;
  }

  scratch where;
  finished end;
  double waited = 0;
  double held = 0;
};

TEST_F(GroundTruth, IsFoundInAProgramThatEndsByItself) {
  run_truth("");
  EXPECT_EQ(end.status, 0);
  const auto all = load(where.file(), grouping::lock, order_by::wait);
  EXPECT_TRUE(all.closed);
  check_all(all);
}

TEST_F(GroundTruth, IsOnDiskAfterSigkill) {
  run_truth("kill");
  const auto all = load(where.file(), grouping::lock, order_by::wait);
  EXPECT_FALSE(all.closed);
  check_all(all);
}

TEST_F(GroundTruth, IsOnDiskAfterSigsegv) {
  run_truth("segv");
  const auto all = load(where.file(), grouping::lock, order_by::wait);
  EXPECT_FALSE(all.closed);
  check_all(all);
}

TEST_F(GroundTruth, IsOnDiskAfterUnderscoreExit) {
  run_truth("_exit");
  check_all(load(where.file(), grouping::lock, order_by::wait));
}

TEST_F(GroundTruth, AForkedChildHasAFileOfItsOwnAndTheParentKeepsIts) {
  run_truth("fork");
  EXPECT_EQ(end.status, 0);
  const auto all = load(where.file(), grouping::lock, order_by::wait);
  check_all(all);
  ASSERT_EQ(all.other_processes.size(), 1U);
  const auto child = load(all.other_processes.front(), grouping::lock, order_by::wait);
  const auto* const deposit = find(child, "make_deposit");
  ASSERT_NE(deposit, nullptr);
  EXPECT_EQ(deposit->acquisitions, 9U);
}

TEST_F(GroundTruth, IsFoundWithAFifoLockToo) {
  end = run("HEMLOCK_LOCK=hemlock-futex LD_PRELOAD=" RECORDER " HEMLOCK_PROFILE=" + where.file(), TRUTH);
  ASSERT_EQ(std::sscanf(end.out.c_str(), "%lf %lf", &waited, &held), 2) << end.out;
  const auto all = load(where.file(), grouping::lock, order_by::wait);
  EXPECT_STREQ(all.header.lock, "hemlock-futex");
  const auto* const busy = find(all, "g_busy");
  ASSERT_NE(busy, nullptr);
  EXPECT_EQ(busy->acquisitions, 41U);
  EXPECT_EQ(busy->contended, 20U);
  EXPECT_EQ(innermost(all, busy->blamed_at), "slow_holder");
}

TEST(Recorder, IsNotThereWithoutBeingAskedFor) {
  const scratch where;
  const auto end = run("LD_PRELOAD=" RECORDER, TRUTH);
  EXPECT_EQ(end.status, 0);
  EXPECT_TRUE(fs::is_empty(where.folder));
}

TEST(Recorder, DoesNotHarmAProgramWhoseProfileCannotBeWritten) {
  const auto end = run("LD_PRELOAD=" RECORDER " HEMLOCK_PROFILE=/nowhere/at/all.prof", TRUTH);
  EXPECT_EQ(end.status, 0);
}

/// Printed as a ratio within one run; the bound is wide here, since the machine may be busy with other tests.
TEST(Recorder, CostsLittleWhereNobodyWaits) {
  const scratch where;
  double plain = 1e9;
  double recorded = 1e9;
  for (int round = 0; round < 3; ++round) {
    plain = std::min(plain, std::atof(run("LD_PRELOAD=" PLAIN, OVERHEAD).out.c_str()));
    fs::remove(where.file());
    recorded = std::min(recorded, std::atof(record(where, OVERHEAD).out.c_str()));
  }
  std::printf("uncontended lock and unlock: %.2f ns, recorded %.2f ns, ratio %.2f\n", plain, recorded,
              recorded / plain);
  EXPECT_GT(plain, 0);
  EXPECT_LT(recorded, plain * 3);
}

}  // namespace
}  // namespace hemlock::profile
