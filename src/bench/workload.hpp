// What one run measures: something that several threads do until they are told to stop.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/phase.hpp"
#include "bench/wait_histogram.hpp"

namespace hemlock::bench {

/// One thread of a run: what it is told, and what it tells in the end.
struct worker {
  const phase_board& board;
  int index = 0;
  int threads = 1;
  std::uint32_t seed = 0;

  std::uint64_t operations = 0;               ///< finished in the measuring phase
  wait_histogram waits{};                     ///< filled by the workloads that look at the clock
  std::uint64_t longest_gap_operations = 0;   ///< others' acquisitions between two of ours, at most
  std::uint64_t longest_gap_nanoseconds = 0;  ///< time between two acquisitions of ours, at most
};

/// Something more that a workload found out, beside operations per second: "bytes per bucket", 56.
using finding = std::pair<std::string, double>;

class workload {
public:
  workload() = default;
  workload(const workload&) = delete;
  workload& operator=(const workload&) = delete;
  virtual ~workload() = default;

  /// Called in each thread once. Runs until the board says `over`; the virtual call is per run, not per step.
  virtual void work(worker& me) = 0;

  /// Called once the board says `over`: wakes those who would otherwise sleep for ever.
  virtual void stop() {}

  /// Asked after the run.
  virtual std::vector<finding> findings() const { return {}; }
};

/// Steps until the run is over and counts those that ended while it was measured. The count stays in a
/// register and the board is one shared line that nobody writes: the loop is the lock's, not ours.
template <class Step>
[[gnu::always_inline]] inline void repeat(worker& me, Step&& one_step) {
  std::uint64_t done = 0;
  while (true) {
    one_step();
    ++done;
    const phase now = me.board.now();
    if (now != phase::measuring) [[unlikely]] {
      if (now == phase::over) break;
      done = 0;
    }
  }
  me.operations = done - 1;  // the last one ended too late
}

}  // namespace hemlock::bench
