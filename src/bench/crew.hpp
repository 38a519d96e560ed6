// Runs a workload on so many threads for so long.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "bench/pinning.hpp"
#include "bench/workload.hpp"

namespace hemlock::bench {

struct run_settings {
  int threads = 1;
  std::chrono::nanoseconds warm_up{};
  std::chrono::nanoseconds duration{};
  pinning pin = pinning::none;
  std::uint64_t seed = 1;
  /// Looked at when a signal arrives: true ends the run at once, without a result.
  std::function<bool()> interrupted = [] { return false; };
};

/// What one run gave. Rates are over `seconds`, the measuring phase as it really was.
struct run_result {
  double seconds = 0;
  double cpu_seconds = 0;                 ///< of the whole process, in that phase
  double drain_seconds = 0;               ///< from the end of that phase until the last thread was gone
  std::vector<std::uint64_t> operations;  ///< by thread
  wait_histogram waits;
  std::uint64_t longest_gap_operations = 0;
  std::uint64_t longest_gap_nanoseconds = 0;
  std::vector<finding> findings;

  std::uint64_t total() const noexcept;
  double per_second() const noexcept;
};

/// Nothing if it was interrupted. Throws std::system_error if the threads cannot be made.
std::optional<run_result> run(workload& what, const run_settings& settings);

/// The smallest thread's operations over the largest's: 1 is even, 0 is starved.
double smallest_share(const std::vector<std::uint64_t>& operations);

}  // namespace hemlock::bench
