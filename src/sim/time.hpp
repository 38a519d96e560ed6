// Simulated time: whole picoseconds, so that adding up never rounds and a rerun is bit-identical.
#pragma once

#include <cmath>
#include <cstdint>

namespace hemlock::sim {

using picoseconds = std::int64_t;

inline constexpr picoseconds from_ns(double nanoseconds) {
  return static_cast<picoseconds>(nanoseconds * 1000.0 + 0.5);
}
inline constexpr double to_ns(picoseconds time) {
  return static_cast<double>(time) / 1000.0;
}

}  // namespace hemlock::sim
