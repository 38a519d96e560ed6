#include "report/machine_warnings.hpp"

#include <fmt/format.h>

namespace hemlock::report {

std::vector<warning> machine_warnings(const machine& facts) {
  std::vector<warning> found;
  if (!facts.sanitizer.empty())
    found.push_back({fmt::format("This build has -fsanitize={} in it.", facts.sanitizer),
                     "Measure with the default preset: cmake --preset default."});
  if (facts.build_type == "Debug")
    found.push_back({"This is a debug build.", "Measure with the default preset: cmake --preset default."});
  if (facts.load_average && facts.load_average->at(0) > 0.5 * facts.cpus_online)
    found.push_back({fmt::format("The machine is busy: load average {:.2f} on {} CPUs.",
                                 facts.load_average->at(0), facts.cpus_online),
                     "Stop other programs, or wait until they are done."});
  if (facts.cgroup_quota && *facts.cgroup_quota < facts.cpus_online)
    found.push_back({fmt::format("A CPU quota of {:.2g} CPUs stops all threads for part of each period.",
                                 *facts.cgroup_quota),
                     "Measure without a quota, or give whole CPUs with a cpuset instead."});
  if (facts.governor && *facts.governor != "performance")
    found.push_back({fmt::format("The CPU frequency follows the load (governor {}).", *facts.governor),
                     "cpupower frequency-set --governor performance"});
  return found;
}

}  // namespace hemlock::report
