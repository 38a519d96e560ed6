#include "bench/studies/figures.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "report/statistics.hpp"

namespace hemlock::bench {
namespace {

/// What ratios are taken to: the platform's own, if it takes part.
std::string baseline_among(const setup& how) {
  for (const auto* name : {"std::mutex", "pthread"})
    for (const auto& lock : how.locks)
      if (lock.name == name) return name;
  return {};
}

struct figure_text {
  std::string metric;
  std::string shows;
  report::axis y;
  report::better direction;
};

report::experiment figure(const setup& how, const std::string& study, const std::string& title,
                          const std::string& load, const figure_text& text) {
  return {.name = fmt::format("{} {}: {}", study, load, text.metric),
          .title = fmt::format("{}, {}: {}", title, load, text.metric),
          .shows = text.shows,
          .x = threads_axis(),
          .y = text.y,
          .direction = text.direction,
          .baseline = baseline_among(how),
          .parameters = parameters_of(how, true)};
}

constexpr auto log = report::scale::logarithmic;
constexpr auto linear = report::scale::linear;

}  // namespace

report::axis threads_axis() {
  return {.name = "threads", .unit = "", .kind = log};
}

report::experiment throughput_figure(const setup& how, const std::string& study, const std::string& title,
                                     const std::string& load) {
  return figure(how, study, title, load,
                {"throughput",
                 "How often all threads together take the one lock, per second: higher is better, and a line "
                 "that falls shows a lock that suffers from more threads.",
                 {.name = "throughput", .unit = "acquisitions/s", .kind = log},
                 report::better::higher});
}

report::experiment cpu_time_figure(const setup& how, const std::string& study, const std::string& title,
                                   const std::string& load) {
  return figure(how, study, title, load,
                {"CPU time per acquisition",
                 "The CPU time that all threads together spend for each acquisition, waiting included: what "
                 "rises here is taken from everybody else on the machine.",
                 {.name = "CPU time", .unit = "s", .kind = log},
                 report::better::lower});
}

std::optional<double> cpu_per_operation(const run_result& result) {
  if (result.total() == 0) return std::nullopt;
  return result.cpu_seconds / static_cast<double>(result.total());
}

std::vector<report::experiment> fairness_figures(const setup& how, const std::string& study,
                                                 const std::string& title, const std::string& load) {
  using report::better;
  const figure_text texts[] = {
      {"smallest share",
       "The acquisitions of the thread that got the fewest, over those of the one that got the most: 1 is "
       "even, "
       "0 is starved.",
       {.name = "smallest / largest share", .unit = "", .kind = linear},
       better::higher},
      {"Jain's index",
       "How evenly the acquisitions are spread over the threads: 1 when all got the same, 1/n when one got "
       "all.",
       {.name = "Jain's index", .unit = "", .kind = linear},
       better::higher},
      {"99.9th percentile of waits",
       "999 of 1000 acquisitions waited no longer than this.",
       {.name = "wait", .unit = "s", .kind = log},
       better::lower},
      {"longest wait",
       "The longest time between asking for the lock and having it.",
       {.name = "wait", .unit = "s", .kind = log},
       better::lower},
      {"longest gap in time",
       "The longest time that a thread, always coming back, was without the lock.",
       {.name = "gap", .unit = "s", .kind = log},
       better::lower},
      {"longest gap in acquisitions",
       "How often others had the lock between two acquisitions of the same thread, at most: a first-come "
       "first-served lock shows little more than the number of threads.",
       {.name = "gap", .unit = "acquisitions", .kind = log},
       better::lower}};
  std::vector<report::experiment> all;
  for (const auto& text : texts) all.push_back(figure(how, study, title, load, text));
  return all;
}

metrics fairness_metrics(const run_result& result) {
  const auto seconds = [](std::uint64_t nanoseconds) -> std::optional<double> {
    if (nanoseconds == 0) return std::nullopt;
    return static_cast<double>(nanoseconds) * 1e-9;
  };
  std::vector<double> shares(result.operations.begin(), result.operations.end());
  return {smallest_share(result.operations),       report::jain_index(shares),
          seconds(result.waits.quantile(0.999)),   seconds(result.waits.longest()),
          seconds(result.longest_gap_nanoseconds), static_cast<double>(result.longest_gap_operations)};
}

}  // namespace hemlock::bench
