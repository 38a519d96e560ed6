// hemlock bench: MutexBench and its siblings.
#include <fmt/core.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "bench/drivers.hpp"
#include "cli/bench_conduct.hpp"
#include "cli/bench_leveldb.hpp"
#include "cli/bench_profiler.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "report/interrupt.hpp"

namespace hemlock::cli {
namespace {

/// What one benchmark's command line fills.
struct bench_command {
  bench::request typed;
  std::string preset;
  output_options output;
};

void add_options(CLI::App& command, bench_command& into, const bench::understands& options) {
  auto& typed = into.typed;
  if (options.locks)
    command.add_option("--locks", typed.locks,
                       "Locks, comma-separated; also all, family, paper, peers, mutex-bounds");
  if (options.wait) command.add_option("--wait", typed.wait, "Waiting policies: auto, spin, yield, park");
  if (options.threads)
    command.add_option("--threads", typed.threads,
                       "Thread counts, such as 1,2,4-64x2; 4c is four times the CPUs");
  command.add_option("--runs", typed.runs, "Runs of each lock at each thread count, interleaved");
  command.add_option("--duration", typed.duration, "Length of a run: 10s, 250ms");
  if (options.sections) {
    command.add_option("--cs", typed.critical,
                       "Critical section: empty, 5 (steps of a shared generator), uniform:400");
    command.add_option("--ncs", typed.other,
                       "Non-critical section, likewise, on a generator of the thread's own");
  }
  if (options.variants)
    command.add_option("--variants", typed.variants, "Ways of waiting: load, cas, swap, faa");
  if (options.pairs) command.add_option("--pairs", typed.pairs, "Mutexes with their condition variables");
  if (options.buckets)
    command.add_option("--buckets", typed.buckets, "Buckets of the table, each with a lock")
        ->check(CLI::PositiveNumber);
  command.add_option("--pin", typed.pin, "Threads to CPUs: none, compact, scatter");
  command.add_option("--spin-limit", typed.spin_limit,
                     "Leave out locks that only spin beyond so many threads per CPU; 0 leaves none out");
  command
      .add_option("--seed", typed.seed, "Shuffles the order of the runs and seeds the threads' generators")
      ->check(CLI::NonNegativeNumber);
  into.output.add_to(command);
}

std::string defaults_text(const bench::driver& which) {
  const auto& d = which.defaults;
  std::string text = "Defaults:";
  if (which.options.locks) text += fmt::format(" --locks {}", *d.locks);
  if (which.options.wait) text += fmt::format(" --wait {}", *d.wait);
  if (which.options.threads) text += fmt::format(" --threads {}", *d.threads);
  text += fmt::format(" --runs {} --duration {}", *d.runs, *d.duration);
  if (which.options.sections) text += fmt::format(" --cs {} --ncs {}", *d.critical, *d.other);
  if (which.options.variants) text += fmt::format(" --variants {}", *d.variants);
  if (which.options.pairs) text += fmt::format(" --pairs {}", *d.pairs);
  if (which.options.buckets) text += fmt::format(" --buckets {}", *d.buckets);
  return text + fmt::format(" --pin {} --spin-limit {} --seed {}", *d.pin, *d.spin_limit, *d.seed);
}

void measure(const bench::driver& which, const bench_command& asked, outcome& result) {
  const auto request = with_defaults(asked.typed, which.defaults);
  const report::interrupt_guard guard;
  const auto how = bench::understand(request, which.options, report::interrupt_guard::interrupted);
  conduct(which.name, which.plan(how, request), how, asked.output, result);
}

/// Without the name of a benchmark: `hemlock bench --preset max-contention`, changed by any option.
void add_presets(CLI::App& command, outcome& result) {
  auto asked = std::make_shared<bench_command>();
  std::string known = "Presets:";
  for (const auto& one : bench::all_presets()) known += fmt::format("\n  {:<22}{}", one.name, one.summary);
  command.add_option("--preset", asked->preset, "Measure a figure of the paper");
  add_options(command, *asked, {.sections = true});
  command.footer(known);
  command.callback([&command, asked, &result] {
    if (!command.get_subcommands().empty()) return;
    if (asked->preset.empty())
      throw CLI::RequiredError("Which benchmark, or which --preset? See hemlock bench --help");
    explaining(result, [&] {
      const auto& preset = bench::find_preset(asked->preset);
      const bool sections =
          preset.driver != leveldb_name && bench::find_driver(preset.driver).options.sections;
      if (!sections && (asked->typed.critical || asked->typed.other))
        throw std::invalid_argument(
            fmt::format("--cs and --ncs mean nothing to {}: its sections are fixed", preset.name));
      asked->typed = with_defaults(asked->typed, preset.values);
      if (preset.driver == leveldb_name)
        measure_leveldb(asked->typed, asked->output, result);
      else
        measure(bench::find_driver(preset.driver), *asked, result);
    });
  });
}

}  // namespace

void add_bench(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand("bench", "Measure locks: throughput, latency, fairness, space.");
  for (const auto& which : bench::all_drivers()) {
    auto* one = command->add_subcommand(std::string(which.name), std::string(which.summary));
    auto asked = std::make_shared<bench_command>();
    add_options(*one, *asked, which.options);
    one->footer(defaults_text(which));
    one->callback([command, &which, asked, &result] {
      explaining(result, [&] {
        refuse_early_options(*command);
        measure(which, *asked, result);
      });
    });
  }
  add_bench_leveldb(*command, result);
  add_bench_profiler(*command, result);
  add_presets(*command, result);
}

}  // namespace hemlock::cli
