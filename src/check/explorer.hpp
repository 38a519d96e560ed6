// Goes through every state that a checked program can reach.
//
// Depth first. Two things keep the number of states small without losing any: a state reached a second time is
// not explored again, and where some thread's next step is one that no other thread can notice too early (a
// store, whose place in the modification order does not depend on when it is run), only that step is taken.
//
// Progress is a question about the graph of states: from each of them, the end must be reachable without help
// from wake-ups that need never come. So every part of the graph that one cannot leave must be an end; a part
// that is not is reported as a deadlock (all sleep) or a livelock (some spin).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/engine.hpp"

namespace hemlock::check {

struct exploration {
  violation wrong;
  std::vector<choice> path;        ///< to the violation
  std::vector<std::string> steps;  ///< the same, in words
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  double executions = 0;  ///< complete executions that these states stand for
  bool complete = true;   ///< false: a limit was reached
  double seconds = 0;
  std::map<std::string, std::set<operation_seen>> operations;
  std::set<std::string> outcomes;
};

exploration explore(program& what, const settings& how,
                    const std::function<void(const exploration&)>& progress = {});

/// Runs one path and tells its steps. The program must be new.
exploration replay(program& what, const settings& how, const std::vector<choice>& path);

}  // namespace hemlock::check
