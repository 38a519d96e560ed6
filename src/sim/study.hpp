// Simulated experiments as reports want them: a chart per figure, a series per lock, a sample per seed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/experiment.hpp"
#include "sim/multiwait.hpp"
#include "sim/mutexbench.hpp"
#include "sim/ring.hpp"

namespace hemlock::sim {

struct sweep {
  profile on;
  std::vector<std::string> locks;
  std::vector<int> threads;
  int seeds = 20;
  int seeds_beyond_64_threads = 0;  ///< where runs are long, and who sits where matters less; 0: as many
  std::uint64_t first_seed = 1;
  wait_style waiting = wait_style::spin;
};

/// Told before each lock and thread count; false ends the study early.
using watcher = std::function<bool(const std::string& series, int threads)>;

/// Throughput, offcore accesses, hand-over latency, invalidations, waiters per word.
std::vector<report::experiment> study_mutexbench(const sweep& asked, const mutexbench& what,
                                                 const watcher& watch);
/// The leader's throughput, waiters per word.
std::vector<report::experiment> study_multiwait(const sweep& asked, const watcher& watch);
/// Circulation of the token, by way of waiting; the sweep's locks are not used.
std::vector<report::experiment> study_ring(const sweep& asked, const watcher& watch);

/// Averages over seeds of one lock at one thread count.
struct averages {
  double rate = 0;  ///< steps per second: the seeds' steps over the seeds' time
  double offcore = 0;
  double prefetches = 0;  ///< of these, by the adjacent-line prefetcher
  double upgrades = 0;
  double handover_ns = 0;
  double invalidations = 0;
  int most_pollers = 0;
};
averages average(const std::vector<run_result>& runs);
averages average_mutexbench(const profile& on, const mutexbench& what, int seeds);
averages average_multiwait(const profile& on, const multiwait& what, int seeds);
averages average_ring(const profile& on, const ring& what, int seeds);

}  // namespace hemlock::sim
