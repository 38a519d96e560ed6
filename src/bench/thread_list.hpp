// The small languages of the command line: lists of thread counts, durations.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

namespace hemlock::bench {

/// More threads than this is a typing mistake, not a measurement.
inline constexpr int most_threads = 4096;

/// "1,2,4-64x2" is 1 2 4 8 16 32 64; "3-6" is 3 4 5 6; "4c" is four times the CPUs. Ascending, each once.
/// Throws std::invalid_argument, saying which part is wrong and what is expected.
std::vector<int> parse_thread_list(std::string_view text);

/// "10" and "10s" are seconds; also "250ms", "40us", "2m", "1.5s". Throws std::invalid_argument.
std::chrono::nanoseconds parse_duration(std::string_view text);

}  // namespace hemlock::bench
