// What a thread, or a message in memory, knows of the past: for each atomic word the oldest write that may
// still be read, for each piece of memory whose accesses happen before.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace hemlock::check {

inline constexpr std::size_t max_threads = 6;
inline constexpr std::size_t max_atoms = 24;      ///< atomic words that have been accessed and still exist
inline constexpr std::size_t max_cells = 48;      ///< allocated blocks and plain variables
inline constexpr std::size_t max_messages = 160;  ///< writes that some thread may still read

struct view {
  /// In `seen`: the last non-atomic write (creation included) happens before.
  static constexpr std::uint8_t last_write = 0x80;

  std::array<std::uint8_t, max_atoms> at{};    ///< per word: index in its modification order
  std::array<std::uint8_t, max_cells> seen{};  ///< per cell: last_write, and one bit per thread's last access
  std::array<std::uint64_t, 2> events{};  ///< the events that happen before; kept for seq_cst programs only

  static constexpr std::uint8_t bit(std::size_t thread) { return static_cast<std::uint8_t>(1U << thread); }

  void join(const view& other) {
    for (std::size_t i = 0; i < max_atoms; ++i) at[i] = std::max(at[i], other.at[i]);
    for (std::size_t i = 0; i < max_cells; ++i) seen[i] = static_cast<std::uint8_t>(seen[i] | other.seen[i]);
    for (std::size_t i = 0; i < events.size(); ++i) events[i] |= other.events[i];
  }
};

}  // namespace hemlock::check
