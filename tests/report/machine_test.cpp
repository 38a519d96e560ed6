#include "report/machine.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace hemlock::report {
namespace {

/// A folder that looks like the root of some other machine.
class other_machine {
public:
  other_machine() {
    std::string pattern = ::testing::TempDir() + "hemlock-machine-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
  }
  ~other_machine() { std::filesystem::remove_all(root_); }
  other_machine(const other_machine&) = delete;
  other_machine& operator=(const other_machine&) = delete;

  other_machine& with(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ + path).substr(0, (root_ + path).rfind('/')));
    std::ofstream{root_ + path} << text;
    return *this;
  }
  const std::string& root() const { return root_; }

private:
  std::string root_;
};

constexpr auto two_threads_of_one_core =
    "processor\t: 0\nmodel name\t: Quick Chip 9\nphysical id\t: 0\ncore id\t\t: 0\ncpu MHz\t\t: 2400.5\n"
    "flags\t\t: fpu hypervisor lm\n\n"
    "processor\t: 1\nmodel name\t: Quick Chip 9\nphysical id\t: 0\ncore id\t\t: 0\ncpu MHz\t\t: 2400.5\n";

TEST(machine, is_read_from_proc_and_sys) {
  other_machine other;
  other.with("/proc/cpuinfo", two_threads_of_one_core)
      .with("/proc/loadavg", "1.50 0.75 0.25 1/100 4242\n")
      .with("/proc/self/cgroup", "0::/\n")
      .with("/sys/fs/cgroup/cpu.max", "150000 100000\n")
      .with("/sys/devices/system/cpu/smt/active", "1\n")
      .with("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n")
      .with("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  const auto facts = this_machine(other.root());
  EXPECT_EQ(facts.cpu, "Quick Chip 9");
  EXPECT_EQ(facts.cores, 1);
  EXPECT_EQ(facts.cgroup_quota, 1.5);
  EXPECT_EQ(facts.smt, true);
  EXPECT_EQ(facts.load_average->at(0), 1.5);
  EXPECT_EQ(facts.governor, "powersave");
  EXPECT_EQ(facts.mhz, 2400.5);
  EXPECT_EQ(facts.hypervisor, "QEMU");
}

TEST(machine, leaves_out_what_cannot_be_read) {
  const other_machine empty;
  const auto facts = this_machine(empty.root());
  EXPECT_FALSE(facts.cgroup_quota);
  EXPECT_FALSE(facts.load_average);
  EXPECT_FALSE(facts.governor);
  EXPECT_FALSE(facts.hypervisor);
  EXPECT_FALSE(facts.cpu.empty());
}

TEST(machine, comes_back_from_json_as_it_went) {
  const nlohmann::json went = this_machine();
  EXPECT_EQ(nlohmann::json(went.get<machine>()), went);
}

TEST(machine, fits_on_a_line) {
  machine facts;
  facts.cpu = "Quick Chip 9";
  facts.cores = 4;
  facts.cpus_online = 8;
  facts.cpu_budget = 2;
  facts.kernel = "Linux 6.1";
  facts.libc = "glibc 2.36";
  facts.compiler = "GNU 12.2.0";
  EXPECT_EQ(
      one_line(facts),
      "Quick Chip 9, 4 cores with 8 hardware threads of which 2 usable, Linux 6.1, glibc 2.36, GNU 12.2.0");
}

}  // namespace
}  // namespace hemlock::report
