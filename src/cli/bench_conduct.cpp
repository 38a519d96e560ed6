#include "cli/bench_conduct.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "bench/drivers.hpp"
#include "report/comparison.hpp"
#include "report/interrupt.hpp"
#include "report/machine_warnings.hpp"
#include "report/progress.hpp"

namespace hemlock::cli {
namespace {

/// "mutex, 4 threads", or "std, ping-pong" where x is a name.
std::string place_text(const bench::study& study, const bench::trial& where) {
  const auto& x = study.figures.front().x;
  if (x.labels.empty()) return fmt::format("{}, {:g} {}", where.series, where.x, x.name);
  return fmt::format("{}, {}", where.series, x.labels.at(static_cast<std::size_t>(where.x)));
}

/// Once for the whole study, however many locks and thread counts it concerns.
void warn_of_what_was_not_run(const bench::study& study, report::results& results) {
  std::size_t left_out = 0;
  for (const auto& each : study.trials) left_out += each.once ? 0 : 1;
  if (left_out == 0) return;
  results.warnings.push_back(
      {fmt::format("{} combinations were not run: locks that only spin, with far more threads than CPUs.",
                   left_out),
       "--wait auto measures them all; --spin-limit 0 runs them as they are, and takes its time."});
}

}  // namespace

void conduct(std::string_view name, bench::study study, const bench::setup& how, const output_options& output,
             outcome& result) {
  output.check();
  auto results = report::new_results(result.command);
  {
    report::progress progress(static_cast<double>(study.trials.size()) * how.runs,
                              report::style_for(output.quiet));
    progress.note(fmt::format("{}: about {}", name, report::duration_text(expected_time(study, how))));
    bench::watcher watch;
    watch.before = [&](const bench::trial& next, std::size_t done, std::size_t all) {
      const double weight = static_cast<double>(study.trials.size()) * how.runs / static_cast<double>(all);
      if (done > 0) progress.done(weight);
      progress.begin(place_text(study, next));
    };
    watch.interrupted = how.interrupted;
    results.interrupted = !bench::conduct(study, how.runs, how.seed, watch);
  }
  warn_of_what_was_not_run(study, results);
  results.experiments = std::move(study.figures);
  for (auto& warning : report::machine_warnings(results.where))
    results.warnings.push_back(std::move(warning));
  for (const auto& figure : results.experiments)
    for (auto& warning : report::sample_warnings(figure)) results.warnings.push_back(std::move(warning));
  output.publish(results);
  if (results.interrupted) result.code = 128 + report::interrupt_guard::signal();
}

void refuse_early_options(const CLI::App& command) {
  for (const auto* one : command.get_options([](const CLI::Option* option) { return option->count() > 0; }))
    throw std::invalid_argument(
        fmt::format("{} stands before the benchmark's name; options come after it, and a "
                    "preset needs no benchmark",
                    one->get_name()));
}

void explaining(outcome& result, const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "hemlock bench: {}\n", error.what());
    result.code = wrong_usage;
  }
}

}  // namespace hemlock::cli
