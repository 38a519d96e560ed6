// What happened, step by step: for `--trace`, and for tests that look at interleavings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/operation.hpp"
#include "sim/time.hpp"

namespace hemlock::sim {

struct trace_entry {
  picoseconds time;
  std::uint32_t cpu;
  std::uint32_t line;
  enum class step : std::uint8_t { takes_effect, asks_to_read, asks_to_own, served, arrives } what;
  operation done;  ///< takes_effect
  bool hit;        ///< takes_effect: without leaving the core
  std::string
      states;  ///< of the line after it, one letter for each cache that ever had it, in order of number
};

struct trace {
  std::vector<trace_entry> entries;
  bool operations_only = false;
  std::size_t most = 100000;

  // Of a hand-over.
  std::uint32_t from_cpu = 0;
  std::uint32_t to_cpu = 0;
  picoseconds unlocks_at = 0;                  ///< the end of the section
  picoseconds acquired_at = 0;                 ///< the successor is inside
  std::map<std::uint32_t, std::string> names;  ///< of lines
  std::vector<int> cache_of;                   ///< by CPU
};

/// One hand-over as a table: what the two threads do, and the state of each line in their caches after it.
std::string hand_over_table(const trace& seen);

struct named_trace {
  std::string lock;
  trace seen;
};
/// Hand-overs one below the other, on one scale of time, as SVG.
std::string hand_over_picture(const std::vector<named_trace>& all);

}  // namespace hemlock::sim
