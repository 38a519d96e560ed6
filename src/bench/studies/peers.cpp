// Ours beside other people's locks, in everything that is asked of a mutex: throughput at both of the paper's
// loads, evenness, waits, CPU time.
#include "bench/studies/figures.hpp"
#include "bench/studies/studies.hpp"

namespace hemlock::bench {
namespace {

/// Values for this part's figures stand behind those of the parts before it.
std::function<metrics(const run_result&)> shifted(std::size_t by,
                                                  std::function<metrics(const run_result&)> read) {
  return [by, read](const run_result& result) {
    metrics all(by);
    for (const auto& value : read(result)) all.push_back(value);
    return all;
  };
}

}  // namespace

study peers_study(const setup& how) {
  study all;
  for (const auto& load : {maximum_contention, moderate_contention}) {
    setup part = how;
    part.load = load;
    const std::string name = name_of(load);
    std::size_t first = all.figures.size();
    all.figures.push_back(throughput_figure(part, "peers", "Peers", name));
    all.figures.push_back(cpu_time_figure(part, "peers", "Peers", name));
    add_trials(all, part, lanes_of(part, [load](const contender& lock) { return lock.mutexbench(load); }),
               shifted(first, [](const run_result& result) -> metrics {
                 return {result.per_second(), cpu_per_operation(result)};
               }));
    first = all.figures.size();
    for (auto& figure : fairness_figures(part, "peers", "Peers", name))
      all.figures.push_back(std::move(figure));
    add_trials(all, part, lanes_of(part, [load](const contender& lock) { return lock.fairness(load); }),
               shifted(first, fairness_metrics));
  }
  return all;
}

}  // namespace hemlock::bench
