// Negative controls: changes that must make a lock fail, as the paper says. A checker that lets one pass is broken.
#pragma once

#include <string>
#include <vector>

#include "check/runner.hpp"

namespace hemlock::check {

struct control {
  std::string lock;
  std::string what;  ///< in words
  mutations changes;
  std::vector<std::string> scenarios;  ///< "family/size", tried in turn until one fails
};

const std::vector<control>& all_controls();

struct control_result {
  std::string failed_in;  ///< the case; empty: none failed
  job_result last;
  job failed;  ///< what failed
};
control_result run(const control& one);

}  // namespace hemlock::check
