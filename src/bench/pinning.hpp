// Which CPU each thread stays on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hemlock::bench {

enum class pinning {
  none,     ///< the kernel moves threads as it likes
  compact,  ///< neighbours first: a core's hardware threads, then the package's cores
  scatter,  ///< far apart first: packages in turn, then cores, hardware threads last
};

/// Throws std::invalid_argument, naming the three.
pinning parse_pinning(std::string_view text);
std::string_view to_string(pinning pin);

/// Where a CPU sits.
struct cpu_place {
  int cpu;
  int package;
  int core;
};

/// The CPUs in the order in which threads get them; thread i gets element i modulo the size.
std::vector<int> cpu_order(std::vector<cpu_place> places, pinning pin);

/// The CPUs this process may use, with their places as /sys tells them.
std::vector<cpu_place> usable_cpus(const std::string& root = "");

/// False if the kernel refuses.
bool pin_this_thread(int cpu) noexcept;

}  // namespace hemlock::bench
