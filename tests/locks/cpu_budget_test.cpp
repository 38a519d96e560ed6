// The CPU budget on machines that we do not have: cgroups of both versions in a made-up file system.
#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>

#include "hemlock/platform/cpu_budget.hpp"
#include "hemlock/platform/spin_bound.hpp"
#include "hemlock/world/waiting.hpp"

namespace hemlock::test {
namespace {

/// A root directory with files in it, gone at the end.
class fake_root {
public:
  fake_root()
      : path_(std::filesystem::temp_directory_path() / ("hemlock-root-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
  }
  ~fake_root() { std::filesystem::remove_all(path_); }
  fake_root(const fake_root&) = delete;
  fake_root& operator=(const fake_root&) = delete;

  fake_root& with(const std::string& file, const std::string& text) {
    const auto full = path_ / file;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
    return *this;
  }
  [[nodiscard]] int quota() const { return cgroup_cpu_quota(path_.c_str()); }

private:
  std::filesystem::path path_;
};

TEST(cpu_budget, reads_a_version_2_quota_and_rounds_it_up) {
  fake_root root;
  root.with("proc/self/cgroup", "0::/app\n").with("sys/fs/cgroup/app/cpu.max", "250000 100000\n");
  EXPECT_EQ(root.quota(), 3);
}

TEST(cpu_budget, takes_the_smallest_quota_among_a_groups_ancestors) {
  fake_root root;
  root.with("proc/self/cgroup", "0::/a/b/c\n")
      .with("sys/fs/cgroup/a/cpu.max", "100000 100000\n")
      .with("sys/fs/cgroup/a/b/cpu.max", "max 100000\n")
      .with("sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
  EXPECT_EQ(root.quota(), 1);
}

TEST(cpu_budget, reads_a_version_1_quota) {
  fake_root root;
  root.with("proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/x\n1:name=systemd:/x\n")
      .with("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "150000\n")
      .with("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(root.quota(), 2);
}

TEST(cpu_budget, is_not_limited_by_a_version_1_quota_of_minus_one) {
  fake_root root;
  root.with("proc/self/cgroup", "3:cpu:/\n")
      .with("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
      .with("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(root.quota(), detail::unlimited_cpus);
}

TEST(cpu_budget, is_not_limited_by_what_cannot_be_read) {
  fake_root empty;
  EXPECT_EQ(empty.quota(), detail::unlimited_cpus);
  fake_root nonsense;
  nonsense.with("proc/self/cgroup", "no colon here\n::\n0::/a\n").with("sys/fs/cgroup/a/cpu.max", "lots\n");
  EXPECT_EQ(nonsense.quota(), detail::unlimited_cpus);
}

TEST(cpu_budget, never_exceeds_the_cpus_online_nor_the_affinity_mask) {
  EXPECT_GE(cpu_budget(), 1);
  EXPECT_LE(cpu_budget(), online_cpus());
  EXPECT_LE(cpu_budget(), affinity_cpus());
}

/// In a process started anew, since the budget is read once.
TEST(automatic_waiting_death, never_spins_on_one_cpu) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(::sched_getcpu(), &one);
        ::sched_setaffinity(0, sizeof one, &one);
        waiting::spinner<waiting::automatic> wait;
        std::exit(cpu_budget() == 1 && relaxes_worth_spinning() == 0 && !wait.pause_or_park() ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(spin_bound, is_calibrated_in_nanoseconds) {
  const std::uint32_t relaxes = relaxes_per_spin_bound();
  EXPECT_GE(relaxes, 16U);
  EXPECT_LE(relaxes, 100'000U);
  EXPECT_EQ(relaxes, relaxes_per_spin_bound()) << "measured once";
}

TEST(parking_spinner, gives_up_after_the_bound_and_a_spinning_one_never) {
  waiting::spinner<waiting::park> parking;
  std::uint32_t looks = 0;
  while (parking.pause_or_park()) ++looks;
  EXPECT_EQ(looks, relaxes_per_spin_bound());
  waiting::spinner<waiting::spin> spinning;
  for (std::uint32_t i = 0; i < 2 * looks; ++i) ASSERT_TRUE(spinning.pause_or_park());
}

}  // namespace
}  // namespace hemlock::test
