#include "cli/bench_leveldb.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "bench/catalogue.hpp"
#include "bench/leveldb/scratch_directory.hpp"
#include "bench/leveldb/store.hpp"
#include "bench/studies/figures.hpp"
#include "bench/thread_list.hpp"
#include "cli/bench_conduct.hpp"
#include "cli/child.hpp"
#include "cli/preloading.hpp"
#include "cli/served_locks.hpp"
#include "hemlock/world/waiting.hpp"
#include "report/interrupt.hpp"

namespace hemlock::cli {
namespace {

constexpr auto worker_name = "leveldb-worker";

bench::request defaults() {
  bench::request all;
  all.locks = "native,mutex,mcs,ticket,hemlock-ctr,hemlock-naive";
  all.wait = std::string(waiting::automatic::name);
  all.threads = "1,2,4-64x2";
  all.duration = "10s";
  all.critical = all.other = "empty";
  all.pin = "none";
  all.runs = 5;
  all.spin_limit = 4;
  all.seed = 1;
  all.entries = bench::default_entries;
  return all;
}

std::string this_program() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

/// One run in a process of its own: the lock is chosen when a program starts.
struct worker_order {
  std::string lock;
  std::string wait;
  std::string database;
  std::uint64_t entries;
  bench::run_settings settings;
};

std::optional<bench::metrics> run_worker(const worker_order& order) {
  const auto& how = order.settings;
  const auto seconds = std::chrono::duration<double>(how.duration + how.warm_up).count();
  const auto run =
      run_child({.command = {this_program(), "bench", worker_name, "--db", order.database, "--entries",
                             std::to_string(order.entries), "--threads", std::to_string(how.threads),
                             "--duration", fmt::format("{}ns", how.duration.count()), "--pin",
                             std::string(to_string(how.pin)), "--seed", std::to_string(how.seed)},
                 .changes = environment_for(order.lock, order.wait, false),
                 .timeout = std::chrono::duration<double>(2 * seconds + 60),
                 .keep_output = true});
  if (run.how == child_run::end::interrupted) return std::nullopt;
  if (run.how != child_run::end::exited || run.number != success) throw std::runtime_error(run.describe());
  const auto told = nlohmann::json::parse(run.out);
  if (order.lock != native_name && !told.at("preloaded").get<bool>())
    throw std::runtime_error("the preload library was not loaded");
  const double operations = told.at("operations").get<double>();
  const double cpu = told.at("cpu_seconds").get<double>();
  return bench::metrics{operations / told.at("seconds").get<double>(),
                        operations > 0 ? std::optional<double>(cpu / operations) : std::nullopt};
}

bench::study plan(const bench::setup& how, const bench::request& asked, const std::string& database) {
  auto parameters = bench::parameters_of(how, false);
  parameters.insert(parameters.begin(), {"records", std::to_string(*asked.entries)});
  bench::study all;
  all.figures.push_back(
      {.name = "leveldb readrandom: throughput",
       .title = "LevelDB readrandom: throughput",
       .shows = "How many random keys all threads together read per second from one LevelDB, whose "
                "own mutex is replaced by each lock: an unmodified program, as users have it.",
       .x = bench::threads_axis(),
       .y = {.name = "throughput", .unit = "reads/s", .kind = report::scale::logarithmic},
       .direction = report::better::higher,
       .parameters = parameters});
  all.figures.push_back(
      {.name = "leveldb readrandom: CPU time per read",
       .title = "LevelDB readrandom: CPU time per read",
       .shows = "The CPU time that all threads together spend for each read, waiting included.",
       .x = bench::threads_axis(),
       .y = {.name = "CPU time", .unit = "s", .kind = report::scale::logarithmic},
       .direction = report::better::lower,
       .parameters = parameters});
  for (const auto& wait : bench::split_names(*asked.wait))
    for (const auto& lock : parse_locks(*asked.locks, wait)) {
      const bool ours = lock != native_name;
      const std::string series =
          ours && wait != waiting::automatic::name ? fmt::format("{}/{}", lock, wait) : lock;
      if (!ours)
        for (auto& figure : all.figures) figure.baseline = series;
      for (const int threads : how.threads) {
        bench::trial one{.series = series, .x = static_cast<double>(threads)};
        if (bench::mark_spinning(one, how, ours && wait == waiting::spin::name, threads))
          one.once = [order =
                          worker_order{lock, wait, database, *asked.entries,
                                       bench::settings_for(how, threads, 0)}](std::uint64_t seed) mutable {
            order.settings.seed = seed;
            return run_worker(order);
          };
        all.trials.push_back(std::move(one));
      }
    }
  return all;
}

bool preloaded() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(preload_file) != std::string::npos) return true;
  return false;
}

struct worker_arguments {
  std::string database;
  std::uint64_t entries = bench::default_entries;
  int threads = 1;
  std::string duration = "1s";
  std::string pin = "none";
  std::uint64_t seed = 1;
  bool fill = false;
};

void work(const worker_arguments& asked) {
  const auto duration = bench::parse_duration(asked.duration);
  if (asked.fill) {
    std::filesystem::create_directories(asked.database);
    bench::fill_sequentially(asked.database, asked.entries, [] { return false; });
  }
  const auto result = bench::read_randomly(asked.database, asked.entries,
                                           {.threads = asked.threads,
                                            .warm_up = bench::warm_up_of(duration),
                                            .duration = duration,
                                            .pin = bench::parse_pinning(asked.pin),
                                            .seed = asked.seed});
  fmt::print("{}\n", nlohmann::json{{"operations", result->total()},
                                    {"seconds", result->seconds},
                                    {"cpu_seconds", result->cpu_seconds},
                                    {"preloaded", preloaded()}}
                         .dump());
}

void add_worker(CLI::App& command, outcome& result) {
  auto asked = std::make_shared<worker_arguments>();
  auto* worker = command.add_subcommand(worker_name, "One run of leveldb, under the lock that is preloaded.");
  worker->group("");  // hidden: a part of `leveldb`
  worker->add_option("--db", asked->database)->required();
  worker->add_option("--entries", asked->entries)->check(CLI::PositiveNumber);
  worker->add_option("--threads", asked->threads)->check(CLI::PositiveNumber);
  worker->add_option("--duration", asked->duration);
  worker->add_option("--pin", asked->pin);
  worker->add_option("--seed", asked->seed);
  worker->add_flag("--fill", asked->fill);  // for whoever profiles a worker: docs/profiler.md
  worker->callback([asked, &result] { explaining(result, [&] { work(*asked); }); });
}

}  // namespace

void measure_leveldb(const bench::request& typed, const output_options& output, outcome& result) {
  const auto asked = with_defaults(typed, defaults());
  const report::interrupt_guard guard;
  const auto how = bench::understand(asked, {.locks = false}, report::interrupt_guard::interrupted);
  const bench::scratch_directory scratch;
  auto study = plan(how, asked, scratch.path());
  output.check();
  if (!output.quiet)
    fmt::print(stderr, "leveldb: filling {} with {} records\n", scratch.path(), *asked.entries);
  bench::fill_sequentially(scratch.path(), *asked.entries, how.interrupted);
  conduct(leveldb_name, std::move(study), how, output, result);
}

void add_bench_leveldb(CLI::App& bench_command, outcome& result) {
  auto* command = bench_command.add_subcommand(
      std::string(leveldb_name), "readrandom on the real LevelDB, its mutex replaced by preloading.");
  struct arguments {
    bench::request typed;
    output_options output;
  };
  auto asked = std::make_shared<arguments>();
  auto& typed = asked->typed;
  command->add_option("--locks", typed.locks,
                      "Locks, comma-separated: native, all, or those the preload library has");
  command->add_option("--wait", typed.wait, "Waiting policies: auto, spin, yield, park");
  command->add_option("--threads", typed.threads,
                      "Thread counts, such as 1,2,4-64x2; 4c is four times the CPUs");
  command->add_option("--runs", typed.runs, "Runs of each lock at each thread count, interleaved");
  command->add_option("--duration", typed.duration, "Length of a run: 10s, 250ms");
  command->add_option("--entries", typed.entries, "Records in the database")->check(CLI::PositiveNumber);
  command->add_option("--pin", typed.pin, "Threads to CPUs: none, compact, scatter");
  command->add_option("--spin-limit", typed.spin_limit,
                      "Leave out locks that only spin beyond so many threads per CPU; 0 leaves none out");
  command
      ->add_option("--seed", typed.seed, "Shuffles the order of the runs and seeds the threads' generators")
      ->check(CLI::NonNegativeNumber);
  asked->output.add_to(*command);
  const auto d = defaults();
  command->footer(
      fmt::format("Defaults: --locks {} --wait {} --threads {} --runs {} --duration {} --entries {}\n"
                  "The database is filled once in a scratch directory under TMPDIR, and removed at the end.",
                  *d.locks, *d.wait, *d.threads, *d.runs, *d.duration, *d.entries));
  command->callback([&bench_command, asked, &result] {
    explaining(result, [&] {
      refuse_early_options(bench_command);
      measure_leveldb(asked->typed, asked->output, result);
    });
  });
  add_worker(bench_command, result);
}

}  // namespace hemlock::cli
