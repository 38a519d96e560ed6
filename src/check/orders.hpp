// Is every memory order needed? Each labelled operation is weakened one step, and the scenario that then fails
// is the reason for its order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/runner.hpp"

namespace hemlock::check {

/// One operation in a lock's source, with an order that could be weaker.
struct weakening {
  std::string lock;
  std::string label;
  std::string function;
  std::uint32_t line = 0;
  std::string where;  ///< the label, with the function where the label stands in several
  std::memory_order from{};
  std::memory_order to{};
};

/// What the operations of a lock were seen to be, over all its cases.
using operations = std::map<std::string, std::set<operation_seen>>;

/// The lock's operations, from the beginnings of its cases.
operations operations_of(const std::string& lock);

/// Each operation of the lock, and each next weaker order.
std::vector<weakening> weakenings(const std::string& lock, const operations& seen);

struct weakening_result {
  weakening what;
  std::string failed_in;  ///< the case; empty: the order can be weakened, which is a finding
  std::string violation;
  std::string text;
  std::uint64_t states = 0;
  double executions = 0;
  double seconds = 0;
};

/// Tries the lock's cases, small ones first, until one fails.
weakening_result run(const weakening& one, bool full = false);

struct order_report {
  std::map<std::string, operations> seen;  ///< by lock
  std::vector<weakening_result> rows;
};

/// Those whose orders are reported unless others are named: the condition variable's programs of three threads, which some of
/// its operations need, are too large for every day.
std::vector<std::string> locks_with_orders();

/// All of it for these locks, in processes, in the order of the locks.
order_report report_orders(const std::vector<std::string>& locks, bool full,
                           const std::function<void(std::size_t done, std::size_t all)>& progress = {});

}  // namespace hemlock::check
