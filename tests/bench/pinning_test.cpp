#include "bench/pinning.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <stdexcept>
#include <thread>

namespace hemlock::bench {
namespace {

// Two packages, two cores each, two hardware threads each, numbered as Linux likes to: siblings far apart.
std::vector<cpu_place> two_packages() {
  return {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {3, 1, 1}, {4, 0, 0}, {5, 0, 1}, {6, 1, 0}, {7, 1, 1}};
}

TEST(pinning, compact_fills_a_core_then_its_package) {
  EXPECT_EQ(cpu_order(two_packages(), pinning::compact), (std::vector<int>{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(pinning, scatter_takes_packages_in_turn_and_hardware_threads_last) {
  EXPECT_EQ(cpu_order(two_packages(), pinning::scatter), (std::vector<int>{0, 2, 1, 3, 4, 6, 5, 7}));
}

TEST(pinning, none_pins_nobody) {
  EXPECT_TRUE(cpu_order(two_packages(), pinning::none).empty());
}

TEST(pinning, a_pinned_thread_runs_where_it_was_put) {
  const auto cpus = usable_cpus();
  ASSERT_FALSE(cpus.empty());
  int where = -1;
  bool pinned = false;
  std::thread([&] {
    pinned = pin_this_thread(cpus.back().cpu);
    where = ::sched_getcpu();
  }).join();
  EXPECT_TRUE(pinned);
  EXPECT_EQ(where, cpus.back().cpu);
}

TEST(pinning, an_unknown_way_is_refused_with_the_known_ones) {
  try {
    parse_pinning("tight");
    FAIL() << "'tight' was understood";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("none, compact, scatter"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hemlock::bench
