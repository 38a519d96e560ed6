// What happened, step by step: for `--trace`, and for tests that look at interleavings.
#pragma once

#include <cstdint>
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
};

}  // namespace hemlock::sim
