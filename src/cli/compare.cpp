// hemlock compare: a program under each lock and natively, interleaved, and a verdict.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>

#include "cli/child.hpp"
#include "cli/command.hpp"
#include "cli/metric.hpp"
#include "cli/output_options.hpp"
#include "cli/program_arguments.hpp"
#include "cli/served_locks.hpp"
#include "report/comparison.hpp"
#include "report/document.hpp"
#include "report/interrupt.hpp"
#include "report/machine_warnings.hpp"
#include "report/progress.hpp"

namespace hemlock::cli {
namespace {

struct options {
  std::string locks;
  std::string wait;
  int runs = 10;
  int warmup = 1;
  std::vector<std::string> metrics = {"time"};
  std::string better = "higher";
  std::string prepare;
  double timeout = 600;
  int expected_code = 0;
  std::uint64_t seed = 1;
  output_options output;
};

/// The mutexes we put our name on, the paper's lock and its best known rival: as many of them as there are.
std::string default_locks() {
  std::string list{native_name};
  const auto served = served_locks();
  for (const char* name : {"mutex", "fifo", "hemlock-ctr", "mcs"})
    if (std::find(served.begin(), served.end(), name) != served.end()) list += std::string{","} + name;
  return list;
}

/// One lock's way through the comparison.
struct contender {
  std::string name;
  environment changes;
  int failures = 0;
  int successes = 0;
  /// A lock under which the program never worked is not tried again and again.
  bool given_up() const { return failures >= 2 && successes == 0; }
};

class comparison_run {
public:
  comparison_run(const options& asked, std::vector<std::string> program, const std::string& command)
      : asked_{asked},
        program_{std::move(program)},
        all_{report::new_results(command)},
        shuffle_{asked.seed} {
    const auto direction = asked.better == "lower" ? report::better::lower : report::better::higher;
    for (const auto& text : asked.metrics) metrics_.emplace_back(text, direction);
    for (const auto& name : parse_locks(asked.locks.empty() ? default_locks() : asked.locks, asked.wait))
      contenders_.push_back({name, environment_for(name, asked.wait, false)});
    for (const auto& one : metrics_) describe(one);
  }

  int run() {
    const report::interrupt_guard guard;
    report::progress progress{static_cast<double>(contenders_.size()) * (asked_.runs + asked_.warmup),
                              report::style_for(asked_.output.quiet)};
    int code = success;
    for (int round = -asked_.warmup; round < asked_.runs && code == success && !guard.interrupted(); ++round)
      code = one_round(round, progress);
    all_.interrupted = guard.interrupted();
    if (all_.interrupted) return 128 + guard.signal();
    return code != success ? code : failed_code_;
  }

  /// Also after an interruption: what was measured is kept.
  void publish() {
    for (const auto& one : all_.experiments)
      for (auto& found : report::sample_warnings(one)) add_warning(std::move(found));
    for (auto& found : report::machine_warnings(all_.where)) add_warning(std::move(found));
    asked_.output.publish(all_);
  }

private:
  void describe(const metric& one) {
    const auto typed = report::shell_quoted(program_);
    auto& chart = all_.experiments.emplace_back();
    chart.name = fmt::format("compare {}", one.text());
    chart.title = fmt::format("{}: {}", one.axis().name, typed);
    chart.shows = one.shows();
    chart.x = {"", "", report::scale::linear, {one.axis().name}};
    chart.y = one.axis();
    chart.direction = one.direction();
    if (std::any_of(contenders_.begin(), contenders_.end(),
                    [](const auto& lock) { return lock.name == native_name; }))
      chart.baseline = native_name;
    chart.parameters = {{"runs", std::to_string(asked_.runs)}, {"warm-up", std::to_string(asked_.warmup)}};
    if (!asked_.wait.empty()) chart.parameters.emplace_back("wait", asked_.wait);
    for (const auto& lock : contenders_) chart.in(lock.name).at(0);
  }

  /// Fisher and Yates by hand: std::shuffle differs between standard libraries, and a seed must not.
  std::vector<contender*> shuffled() {
    std::vector<contender*> order;
    for (auto& one : contenders_) order.push_back(&one);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[shuffle_() % i]);
    return order;
  }

  int one_round(int round, report::progress& progress) {
    for (auto* lock : shuffled()) {
      if (lock->given_up()) {
        progress.done();
        continue;
      }
      progress.begin(round < 0 ? fmt::format("{}: warming up", lock->name)
                               : fmt::format("{}: run {} of {}", lock->name, round + 1, asked_.runs));
      if (!prepare()) return report::interrupt_guard::interrupted() ? success : own_failure;
      const bool keep =
          std::any_of(metrics_.begin(), metrics_.end(), [](const auto& one) { return one.needs_output(); });
      const auto run =
          run_child({program_, lock->changes, std::chrono::duration<double>{asked_.timeout}, keep});
      progress.done();
      if (run.how == child_run::end::interrupted) return success;
      if (run.how == child_run::end::not_started) {
        fmt::print(stderr, "hemlock compare: {}: {}\n", program_[0], run.describe());
        return run.exit_code();
      }
      record(*lock, run, round < 0);
      if (report::interrupt_guard::interrupted()) return success;
    }
    return success;
  }

  bool prepare() {
    if (asked_.prepare.empty()) return true;
    const auto run =
        run_child({{"/bin/sh", "-c", asked_.prepare}, {}, std::chrono::duration<double>{asked_.timeout}});
    const bool good = run.how == child_run::end::exited && run.number == 0;
    if (!good)
      fmt::print(stderr, "hemlock compare: --prepare '{}' failed: {}\n", asked_.prepare, run.describe());
    return good;
  }

  void record(contender& lock, const child_run& run, bool warming_up) {
    const bool good = run.how == child_run::end::exited && run.number == asked_.expected_code;
    if (!good) {
      ++lock.failures;
      if (failed_code_ == success) failed_code_ = run.exit_code() == success ? own_failure : run.exit_code();
      if (lock.given_up() && run.how == child_run::end::exited && lock.name == native_name)
        add_warning({fmt::format("The program ends with exit code {} by itself.", run.number),
                     fmt::format("If that is right, say --expect {}.", run.number)});
    }
    lock.successes += good ? 1 : 0;
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      auto& at = all_.experiments[i].in(lock.name).at(0);
      if (!good) {
        at.failures.push_back(run.describe());
      } else if (const auto value = metrics_[i].of(run); !value) {
        at.failures.push_back("printed no figure that fits the expression");
      } else if (!warming_up) {
        at.samples.push_back(*value);
      }
    }
  }

  void add_warning(report::warning one) {
    if (std::find(all_.warnings.begin(), all_.warnings.end(), one) == all_.warnings.end())
      all_.warnings.push_back(std::move(one));
  }

  const options& asked_;
  std::vector<std::string> program_;
  std::vector<metric> metrics_;
  std::vector<contender> contenders_;
  report::results all_;
  std::mt19937_64 shuffle_;
  int failed_code_ = success;
};

void add_options(CLI::App& command, options& asked) {
  command
      .add_option("-l,--locks", asked.locks,
                  "Locks to compare, or `all`; see `hemlock list` (default: " + default_locks() + ")")
      ->type_name("LOCK,...");
  command.add_option("-w,--wait", asked.wait, "How threads wait: spin, yield, park or auto")
      ->type_name("POLICY");
  command.add_option("-n,--runs", asked.runs, "Measured runs of each")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command.add_option("--warmup", asked.warmup, "Runs of each before that")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  command
      .add_option(
          "-m,--metric", asked.metrics,
          "What to compare: time, cpu, max-rss, or regex:EXPRESSION for a figure that the program prints "
          "(its first group, in the last line that fits); may be given more than once")
      ->type_name("METRIC")
      ->allow_extra_args(false)
      ->capture_default_str();
  command.add_option("--better", asked.better, "Which way a printed figure is better")
      ->check(CLI::IsMember({"higher", "lower"}))
      ->capture_default_str();
  command.add_option("--prepare", asked.prepare, "A shell command before each run, not measured")
      ->type_name("COMMAND");
  command.add_option("--timeout", asked.timeout, "Seconds after which a run has failed")
      ->check(CLI::Range(0.01, 1e6))
      ->capture_default_str();
  command.add_option("--expect", asked.expected_code, "The exit code of a good run")
      ->check(CLI::Range(0, 255))
      ->capture_default_str();
  command.add_option("--seed", asked.seed, "Of the order of the runs")->capture_default_str();
  asked.output.add_to(command);
}

}  // namespace

void add_compare(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand("compare", "Compare a program under each lock and natively.");
  auto asked = std::make_shared<options>();
  add_options(*command, *asked);
  take_program(*command);
  command->footer(
      "Exit code: 0 if every run was good, else that of the first that was not (124: timed out, 128+n: "
      "killed by "
      "signal n); 125 if we fail, 126 or 127 if the program cannot be run or is not there.");
  command->callback([asked, command, &result] {
    comparison_run comparison{*asked, program_of(*command, result), result.command};
    asked->output.check();
    result.code = comparison.run();
    if (result.code != not_found && result.code != cannot_execute) comparison.publish();
  });
}

}  // namespace hemlock::cli
