#include "bench/studies/figures.hpp"
#include "bench/studies/studies.hpp"

namespace hemlock::bench {

study multiwait_study(const setup& how) {
  study all;
  all.figures.push_back(
      {.name = "multiwait: leader steps",
       .title = "Multi-waiting: steps of the leader",
       .shows =
           "How often the leader takes ten locks in order and gives them back, while each other thread takes "
           "one of the ten at random: the more threads, the more of them wait on what the leader holds.",
       .x = threads_axis(),
       .y = {.name = "leader steps", .unit = "steps/s", .kind = report::scale::logarithmic},
       .direction = report::better::higher,
       .parameters = parameters_of(how, false)});
  add_trials(all, how, lanes_of(how, [](const contender& lock) { return lock.multiwait(); }),
             [](const run_result& result) -> metrics { return {result.per_second()}; });
  return all;
}

}  // namespace hemlock::bench
