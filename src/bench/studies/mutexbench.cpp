#include <fmt/core.h>

#include "bench/studies/figures.hpp"
#include "bench/studies/studies.hpp"

namespace hemlock::bench {

std::string name_of(const sections& load) {
  if (load.critical == maximum_contention.critical && load.other == maximum_contention.other)
    return "maximum contention";
  if (load.critical == moderate_contention.critical && load.other == moderate_contention.other)
    return "moderate contention";
  return fmt::format("critical section {}, non-critical section {}", to_string(load.critical),
                     to_string(load.other));
}

study mutexbench_study(const setup& how) {
  const std::string load = name_of(how.load);
  study all;
  all.figures.push_back(throughput_figure(how, "mutexbench", "MutexBench", load));
  all.figures.push_back(cpu_time_figure(how, "mutexbench", "MutexBench", load));
  add_trials(all, how,
             lanes_of(how, [load = how.load](const contender& lock) { return lock.mutexbench(load); }),
             [](const run_result& result) -> metrics {
               return {result.per_second(), cpu_per_operation(result)};
             });
  return all;
}

}  // namespace hemlock::bench
