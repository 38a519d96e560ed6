#include "cli/bench_profiler.hpp"

#include <fmt/core.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/drivers.hpp"
#include "bench/leveldb/scratch_directory.hpp"
#include "bench/leveldb/store.hpp"
#include "bench/studies/figures.hpp"
#include "cli/bench_conduct.hpp"
#include "cli/child.hpp"
#include "cli/preloading.hpp"
#include "report/interrupt.hpp"
#include "report/statistics.hpp"

namespace hemlock::cli {
namespace {

constexpr auto worker_name = "lock-worker";
constexpr auto plain = "preload";
constexpr auto recorded = "profile";

/// One of the two libraries; the recorder writes into the scratch directory.
environment environment_of(const std::string& series, const std::string& scratch) {
  auto changes = environment_for("mutex", "", false, series == recorded ? profile_file : preload_file);
  const auto file = scratch + "/recorded.prof";
  std::filesystem::remove(file);
  changes.emplace_back("HEMLOCK_PROFILE", series == recorded ? file : "");
  changes.emplace_back("HEMLOCK_PROFILE_SAMPLE", "");
  return changes;
}

std::optional<nlohmann::json> told_by(std::vector<std::string> arguments, const std::string& series,
                                      const std::string& scratch, double seconds) {
  arguments.insert(arguments.begin(), {std::filesystem::read_symlink("/proc/self/exe").string(), "bench"});
  const auto run = run_child({.command = std::move(arguments),
                              .changes = environment_of(series, scratch),
                              .timeout = std::chrono::duration<double>(2 * seconds + 60),
                              .keep_output = true});
  if (run.how == child_run::end::interrupted) return std::nullopt;
  if (run.how != child_run::end::exited || run.number != success) throw std::runtime_error(run.describe());
  if (series == recorded && !std::filesystem::exists(scratch + "/recorded.prof"))
    throw std::runtime_error("nothing was recorded");
  return nlohmann::json::parse(run.out);
}

/// Nanoseconds for a lock and an unlock that nobody else wants, in a process that has had other threads: the best
/// of many short runs, since whatever else the machine does only ever adds.
double uncontended() {
  using clock = std::chrono::steady_clock;
  std::thread([] {}).join();
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  double best = 1e9;
  for (int run = 0; run < 300; ++run) {
    constexpr int count = 20'000;
    const auto begin = clock::now();
    for (int i = 0; i < count; ++i) {
      ::pthread_mutex_lock(&lock);
      ::pthread_mutex_unlock(&lock);
    }
    best = std::min(best, std::chrono::duration<double, std::nano>(clock::now() - begin).count() / count);
  }
  return best;
}

struct arguments {
  bench::request typed;
  output_options output;
};

bench::request defaults() {
  bench::request all;
  all.threads = "1,2";
  all.duration = "2s";
  all.critical = all.other = "empty";
  all.pin = "none";
  all.runs = 7;
  all.spin_limit = 0;
  all.seed = 1;
  all.entries = 200'000;
  return all;
}

/// The samples again, for the ratios.
using samples = std::map<std::pair<std::string, double>, std::vector<double>>;

struct measured {
  samples lock;
  samples leveldb;  ///< reads per second
  samples cpu;      ///< seconds of CPU time per read: what other programs do is not in it
};

bench::study plan(const bench::setup& how, const bench::request& asked, const std::string& scratch,
                  measured& into) {
  bench::study all;
  all.figures.push_back({.name = "profiler: uncontended lock and unlock",
                         .title = "What recording adds to an uncontended lock and unlock",
                         .shows = "The time of one pthread_mutex_lock and unlock, with the preload library "
                                  "alone and with the recorder in it.",
                         .x = bench::threads_axis(),
                         .y = {.name = "time", .unit = "ns"},
                         .direction = report::better::lower,
                         .baseline = plain});
  auto parameters = bench::parameters_of(how, false);
  parameters.insert(parameters.begin(), {"records", std::to_string(*asked.entries)});
  all.figures.push_back({.name = "profiler: LevelDB readrandom",
                         .title = "What recording costs LevelDB",
                         .shows = "Random reads per second of all threads together, with the preload library "
                                  "alone and with the recorder in it.",
                         .x = bench::threads_axis(),
                         .y = {.name = "throughput", .unit = "reads/s"},
                         .direction = report::better::higher,
                         .baseline = plain,
                         .parameters = std::move(parameters)});
  const double seconds =
      std::chrono::duration<double>(how.duration + bench::warm_up_of(how.duration)).count();
  for (const std::string series : {plain, recorded}) {
    all.trials.push_back(
        {.series = series, .x = 1, .once = [=, &into](std::uint64_t) -> std::optional<bench::metrics> {
           const auto told = told_by({worker_name}, series, scratch, 10);
           if (!told) return std::nullopt;
           const double time = told->at("ns").get<double>();
           into.lock[{series, 1}].push_back(time);
           return bench::metrics{time, std::nullopt, std::nullopt};
         }});
    for (const int threads : how.threads)
      all.trials.push_back(
          {.series = series,
           .x = static_cast<double>(threads),
           .once = [=, &into, entries = *asked.entries,
                    duration = how.duration](std::uint64_t seed) -> std::optional<bench::metrics> {
             const auto told =
                 told_by({"leveldb-worker", "--db", scratch + "/db", "--entries", std::to_string(entries),
                          "--threads", std::to_string(threads), "--duration",
                          fmt::format("{}ns", duration.count()), "--seed", std::to_string(seed)},
                         series, scratch, seconds);
             if (!told) return std::nullopt;
             const double reads = told->at("operations").get<double>();
             const double rate = reads / told->at("seconds").get<double>();
             const double cpu_time = told->at("cpu_seconds").get<double>() / reads;
             into.leveldb[{series, threads}].push_back(rate);
             into.cpu[{series, threads}].push_back(cpu_time);
             return bench::metrics{std::nullopt, rate, cpu_time};
           }});
  }
  return all;
}

void tell_ratios(const measured& all) {
  for (const auto& [place, times] : all.lock)
    if (place.first == recorded)
      fmt::print("Recording makes an uncontended lock and unlock {:.2f} times as long (aim: at most 1.50).\n",
                 report::median(times) / report::median(all.lock.at({plain, place.second})));
  for (const auto& [place, rates] : all.leveldb)
    if (place.first == recorded)
      fmt::print(
          "Recording makes LevelDB readrandom with {:g} thread{} take {:.2f} times as long (aim: at most "
          "1.10), "
          "and {:.2f} times the CPU time.\n",
          place.second, place.second == 1 ? "" : "s",
          report::median(all.leveldb.at({plain, place.second})) / report::median(rates),
          report::median(all.cpu.at(place)) / report::median(all.cpu.at({plain, place.second})));
}

void measure(const arguments& asked, outcome& result) {
  const auto request = with_defaults(asked.typed, defaults());
  const report::interrupt_guard guard;
  const auto how =
      bench::understand(request, {.locks = false, .wait = false}, report::interrupt_guard::interrupted);
  asked.output.check();
  const bench::scratch_directory scratch;
  std::filesystem::create_directory(scratch.path() + "/db");
  bench::fill_sequentially(scratch.path() + "/db", *request.entries, how.interrupted);
  measured all;
  conduct("profiler", plan(how, request, scratch.path(), all), how, asked.output, result);
  if (result.code == success && !asked.output.files.take_stdout()) tell_ratios(all);
}

void add_worker(CLI::App& command, outcome& result) {
  auto* worker = command.add_subcommand(worker_name, "One run of profiler's first half.");
  worker->group("");  // hidden: a part of `profiler`
  worker->callback([&result] {
    fmt::print("{}\n", nlohmann::json{{"ns", uncontended()}}.dump());
    result.code = success;
  });
}

}  // namespace

void add_bench_profiler(CLI::App& bench_command, outcome& result) {
  auto* command = bench_command.add_subcommand(
      "profiler", "What `hemlock profile` costs: an uncontended lock, and LevelDB readrandom.");
  auto asked = std::make_shared<arguments>();
  auto& typed = asked->typed;
  command->add_option("--threads", typed.threads, "Thread counts for LevelDB, such as 1,2,4-64x2");
  command->add_option("--runs", typed.runs, "Runs of each, interleaved");
  command->add_option("--duration", typed.duration, "Length of a run of LevelDB: 2s, 250ms");
  command->add_option("--entries", typed.entries, "Records in the database")->check(CLI::PositiveNumber);
  command
      ->add_option("--seed", typed.seed, "Shuffles the order of the runs and seeds the threads' generators")
      ->check(CLI::NonNegativeNumber);
  asked->output.add_to(*command);
  const auto d = defaults();
  command->footer(
      fmt::format("Defaults: --threads {} --runs {} --duration {} --entries {}\n"
                  "Both are ratios of medians within one run: the preload library with the recorder "
                  "to the one without.",
                  *d.threads, *d.runs, *d.duration, *d.entries));
  command->callback([&bench_command, asked, &result] {
    explaining(result, [&] {
      refuse_early_options(bench_command);
      measure(*asked, result);
    });
  });
  add_worker(bench_command, result);
}

}  // namespace hemlock::cli
