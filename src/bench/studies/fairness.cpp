#include "bench/studies/figures.hpp"
#include "bench/studies/studies.hpp"

namespace hemlock::bench {

study fairness_study(const setup& how) {
  study all;
  all.figures = fairness_figures(how, "fairness", "Fairness", name_of(how.load));
  add_trials(all, how,
             lanes_of(how, [load = how.load](const contender& lock) { return lock.fairness(load); }),
             fairness_metrics);
  return all;
}

}  // namespace hemlock::bench
