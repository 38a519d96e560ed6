// The paper's multi-waiting benchmark: a leader takes all of ten locks in order and gives them back in reverse;
// everyone else takes one of them at random. What counts is how often the leader gets through.
#pragma once

#include <string>

#include "sim/lock_set.hpp"
#include "sim/run_result.hpp"

namespace hemlock::sim {

struct multiwait {
  std::string lock;
  int threads = 8;  ///< the leader included
  int locks = 10;
  int leader_steps = 40;
  int warm_up_steps = 5;
  wait_style waiting = wait_style::spin;
};

/// steps: the leader's.
run_result run(const profile& on, const machine_options& options, const multiwait& what);

}  // namespace hemlock::sim
