// MutexBench, the paper's benchmark: every thread acquires one lock, runs a section, releases, runs something
// of its own, and again.
#pragma once

#include <string>

#include "sim/lock_set.hpp"
#include "sim/run_result.hpp"

namespace hemlock::sim {

enum class contention : std::uint8_t {
  maximum,   ///< nothing inside, nothing outside
  moderate,  ///< 5 steps of a shared std::mt19937 inside, 0 to 399 steps of an own one outside
};

struct mutexbench {
  std::string lock;
  int threads = 2;
  contention how = contention::maximum;
  wait_style waiting = wait_style::spin;
  int rounds = 32;  ///< measured, per thread
  int warm_up_rounds = 6;
  picoseconds section = 0;  ///< further time inside
};

run_result run(const profile& on, const machine_options& options, const mutexbench& what);
/// The same, with one hand-over of the measured part, or every operation if `into` wants only operations.
run_result run(const profile& on, const machine_options& options, const mutexbench& what, trace& into);

}  // namespace hemlock::sim
