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
  int rounds = 32;  ///< measured, per thread; more where the lock lets threads overtake, see lasts_at_least
  int warm_up_rounds = 6;
  picoseconds section = 0;  ///< further time inside
  /// A lock that is not FIFO may let one thread keep it for a while (hemlock::mutex: a tenth of a millisecond), and is
  /// measured for so long that this evens out.
  picoseconds lasts_at_least = from_ns(2e6);
};

run_result run(const profile& on, const machine_options& options, const mutexbench& what);
/// The same, with one hand-over of the measured part from one thread to another, or every operation if `into` wants only operations.
run_result run(const profile& on, const machine_options& options, const mutexbench& what, trace& into);

}  // namespace hemlock::sim
