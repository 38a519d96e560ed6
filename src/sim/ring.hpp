// The paper's ring: threads pass one token around. Each waits for its mailbox to fill, empties it, and fills its
// successor's. How it waits is the question.
#pragma once

#include <array>
#include <string>

#include "sim/run_result.hpp"

namespace hemlock::sim {

enum class look : std::uint8_t { load, cas, swap, faa };
inline constexpr std::array<look, 4> all_looks{look::load, look::cas, look::swap, look::faa};
std::string_view name_of(look how);

struct ring {
  look how = look::load;
  int threads = 8;
  int laps = 40;
  int warm_up_laps = 3;
};

/// steps: hand-overs of the token.
run_result run(const profile& on, const machine_options& options, const ring& what);

}  // namespace hemlock::sim
