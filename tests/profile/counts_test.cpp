// What is counted, each in a scene of which it is known. SCENES is built with optimisation, SCENES_PLAIN without.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "recording.hpp"

namespace hemlock::profile {
namespace {

class Scene : public ::testing::Test {
protected:
  profile played(const std::string& scene, const std::string& environment = "",
                 const std::string& program = SCENES) {
    end = record(where, program + ' ' + scene, environment);
    EXPECT_EQ(end.status, 0) << end.out;
    return load(where.file(), grouping::lock, order_by::wait);
  }
  const lock_view& lock(const profile& all, std::string_view name) {
    const lock_view* const found = find(all, name);
    EXPECT_NE(found, nullptr) << name << '\n' << text_of(all, {});
    static const lock_view nothing{};
    return found == nullptr ? nothing : *found;
  }

  scratch where;
  finished end;
};

class Queue : public Scene, public ::testing::WithParamInterface<const char*> {};

TEST_P(Queue, IsAsLongAsItWasAndEachThreadOfItHasAGrantOfItsOwn) {
  const auto all = played("queue", std::string{"HEMLOCK_LOCK="} + GetParam());
  const auto& queue = lock(all, "g_queue");
  EXPECT_EQ(queue.acquisitions, 4U);
  EXPECT_EQ(queue.contended, 3U);
  EXPECT_EQ(queue.longest_queue, 3U);
  EXPECT_EQ(queue.owner_changes, 3U);
  EXPECT_EQ(all.most_followers, 1U);
  EXPECT_EQ(all.most_held, 1U);
  EXPECT_EQ(all.nested_calls, 0U);
}

TEST_P(Queue, OfTwoLocksThatOneThreadHoldsWaitsOnOneGrant) {
  const auto all = played("grants", std::string{"HEMLOCK_LOCK="} + GetParam());
  EXPECT_EQ(all.most_followers, 2U);
  EXPECT_EQ(all.most_held, 2U);
  EXPECT_EQ(all.nested_calls, 1U);
  EXPECT_EQ(lock(all, "g_left").longest_queue, 1U);
}

INSTANTIATE_TEST_SUITE_P(Locks, Queue, ::testing::Values("mutex", "fifo", "hemlock-futex"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_F(Scene, OfLocksHeldTogetherCountsThemAndTheCallsThatFoundOneHeld) {
  const auto all = played("ladder");
  EXPECT_EQ(all.most_held, 4U);
  EXPECT_EQ(all.nested_calls, 3U);
  EXPECT_EQ(all.edges.size(), 6U);
  EXPECT_TRUE(all.cycles.empty());
  EXPECT_EQ(lock(all, "g_again").acquisitions, 1U);
}

TEST_F(Scene, OfMutexesInObjectsNamesThemByClassAndMember) {
  for (const char* const program : {SCENES, SCENES_PLAIN}) {
    std::filesystem::remove(where.file());
    const auto all = played("objects", "", program);
    EXPECT_EQ(lock(all, "vault::mutex_").acquisitions, 6U) << program;
    EXPECT_EQ(lock(all, "bank::branch::cells[2].lock").acquisitions, 2U) << program;
  }
}

TEST_F(Scene, OfMutexesOneAfterAnotherKeepsOneRecordAndCountsNoDestruction) {
  const auto all = played("lives");
  const auto& reused = lock(all, "g_reused");
  EXPECT_EQ(reused.mutexes, 50U);
  EXPECT_EQ(reused.acquisitions, 100U);
  EXPECT_EQ(all.nested_calls, 0U);
  EXPECT_EQ(all.locks.size(), 2U);
}

TEST_F(Scene, OfAConditionThatDoesNotComeTellsHowLongItWasAwaited) {
  const auto all = played("condition");
  const auto& left = lock(all, "g_left");
  EXPECT_EQ(left.condition_waits, 1U);
  EXPECT_GE(left.condition_time, 29'000'000U);
  EXPECT_EQ(left.acquisitions, 2U);
}

TEST_F(Scene, OfThousandsOfThreadsKnowsThemAll) {
  const auto all = played("threads 3000");
  EXPECT_GE(all.threads.size(), 3000U);
  EXPECT_EQ(lock(all, "g_queue").acquisitions, 3000U);
  EXPECT_TRUE(all.warnings.empty()) << all.warnings.front();
}

TEST_F(Scene, OfMillionsOfMutexesCountsWhatFoundNoRoom) {
  const char* const size = std::getenv("HEMLOCK_TEST_SIZE");
  const int count = size != nullptr && std::string{size} == "full" ? 2'000'000 : 400'000;
  const auto all = played("mutexes " + std::to_string(count));
  EXPECT_LT(std::filesystem::file_size(where.file()), 200'000'000U);
  const std::uint64_t recorded = all.total_acquisitions;
  EXPECT_GT(recorded, 100'000U);
  EXPECT_EQ(recorded + all.header.lost.acquisitions, static_cast<std::uint64_t>(count) + 1);
  ASSERT_FALSE(all.warnings.empty());
  EXPECT_NE(all.warnings.front().find("found no room"), std::string::npos) << all.warnings.front();
}

/// A disk with little room, as far as a program can tell.
TEST_F(Scene, OnAFullDiskGoesOnAndTheReportSaysWhatIsMissing) {
  const auto all = played("mutexes 20000", "ulimit -f 1000;");
  EXPECT_LT(std::filesystem::file_size(where.file()), 1'100'000U);
  EXPECT_GT(all.total_acquisitions, 300U);
  EXPECT_EQ(all.total_acquisitions + all.header.lost.acquisitions, 20'001U);
  EXPECT_FALSE(all.warnings.empty());
}

TEST_F(Scene, OnADiskWithoutAnyRoomGoesOnAndSaysWhyThereIsNoProfile) {
  end = record(where, SCENES " ladder", "ulimit -f 0;");
  EXPECT_EQ(end.status, 0) << end.out;
  EXPECT_NE(end.out.find("cannot write the profile"), std::string::npos) << end.out;
}

/// Also where a real file differs from those that tests make: several blocks, names from the program.
TEST_F(Scene, CutShortAnywhereIsShownAsFarAsItGoes) {
  const auto all = played("queue");
  std::ifstream file{where.file(), std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  ASSERT_GT(bytes.size(), header_bytes + 3 * block_bytes);
  int shown = 0;
  for (std::size_t length = 0; length < bytes.size(); length += bytes.size() / 13) {
    try {
      const auto cut =
          analyse(parse_profile(std::string_view{bytes}.substr(0, length)), grouping::lock, order_by::wait);
      EXPECT_FALSE(text_of(cut, {}).empty());
      if (cut.warnings.empty()) {
        EXPECT_EQ(cut.stacks.size(), all.stacks.size())
            << length << " bytes: something is missing and not told";
        EXPECT_EQ(cut.total_acquisitions, all.total_acquisitions) << length;
      }
      if (cut.locks.size() == all.locks.size()) ++shown;
    } catch (const bad_profile& error) {
      EXPECT_LT(length, header_bytes) << error.what();
    }
  }
  EXPECT_GT(shown, 0);
}

TEST(Recorder, IsNotThereWithoutBeingAskedFor) {
  const scratch where;
  const auto end = run("LD_PRELOAD=" RECORDER, SCENES " ladder");
  EXPECT_EQ(end.status, 0);
  EXPECT_TRUE(std::filesystem::is_empty(where.folder));
}

TEST(Recorder, DoesNotHarmAProgramWhoseProfileCannotBeWritten) {
  const auto end = run("LD_PRELOAD=" RECORDER " HEMLOCK_PROFILE=/nowhere/at/all.prof", SCENES " ladder");
  EXPECT_EQ(end.status, 0);
  EXPECT_NE(end.out.find("cannot write the profile /nowhere/at/all.prof"), std::string::npos) << end.out;
}

/// Printed as a ratio within one run; the bound is wide here, since the machine may be busy with other tests.
TEST(Recorder, CostsLittleWhereNobodyWaits) {
  const scratch where;
  double plain = 1e9;
  double recorded = 1e9;
  for (int round = 0; round < 3; ++round) {
    plain = std::min(plain, std::atof(run("LD_PRELOAD=" PLAIN, OVERHEAD).out.c_str()));
    std::filesystem::remove(where.file());
    recorded = std::min(recorded, std::atof(record(where, OVERHEAD).out.c_str()));
  }
  std::printf("uncontended lock and unlock: %.2f ns, recorded %.2f ns, ratio %.2f\n", plain, recorded,
              recorded / plain);
  EXPECT_GT(plain, 0);
  EXPECT_LT(recorded, plain * 3);
}

}  // namespace
}  // namespace hemlock::profile
