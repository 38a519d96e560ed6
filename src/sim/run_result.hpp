// What one simulated run tells.
#pragma once

#include "sim/machine.hpp"

namespace hemlock::sim {

struct run_result {
  std::uint64_t steps = 0;   ///< acquisitions, or the workload's own unit
  picoseconds duration = 0;  ///< simulated, of these steps
  counters counted;          ///< during them
  double handover_ns = 0;    ///< mean time from the end of a section to the start of the waiting successor's
  std::uint64_t handovers = 0;     ///< to one who waited
  picoseconds ended = 0;           ///< when the last program ended
  std::uint64_t acquisitions = 0;  ///< mutexbench: all, those of the warm-up included

  [[nodiscard]] double rate() const {
    return static_cast<double>(steps) * 1e12 / static_cast<double>(duration);
  }
  [[nodiscard]] double per_step(std::uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(steps);
  }
  /// As the paper counts: data reads and requests for ownership, prefetched ones included.
  [[nodiscard]] double offcore() const { return per_step(counted.offcore() + counted.prefetch_reads); }
  friend bool operator==(const run_result&, const run_result&) = default;
};

}  // namespace hemlock::sim
