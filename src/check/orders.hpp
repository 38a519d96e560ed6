// Is every memory order needed? Each labelled operation is weakened one step, and the scenario that then fails
// is the reason for its order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/runner.hpp"

namespace hemlock::check {

struct weakening {
  std::string lock;
  std::string label;
  std::memory_order from;
  std::memory_order to;
};

/// What the operations of a lock were seen to be, over all its cases.
using operations = std::map<std::string, std::set<operation_seen>>;

/// Each label of the lock, and each next weaker order.
std::vector<weakening> weakenings(const std::string& lock, const operations& seen);

struct weakening_result {
  std::string failed_in;  ///< the case; empty: the order can be weakened, which is a finding
  violation wrong;
  std::uint64_t states = 0;
  double executions = 0;
  double seconds = 0;
  std::vector<choice> path;
};

/// Tries the lock's cases, small ones first, until one fails.
weakening_result run(const weakening& one);

/// The lock's operations, from its small cases.
operations operations_of(const std::string& lock);

}  // namespace hemlock::check
