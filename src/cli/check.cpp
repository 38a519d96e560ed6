// hemlock check: every lock through every scenario, under the C++ memory model.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/controls.hpp"
#include "check/orders.hpp"
#include "check/runner.hpp"
#include "cli/command.hpp"
#include "report/document.hpp"

namespace hemlock::cli {
namespace {

struct options {
  std::vector<std::string> locks;
  std::string scenario;
  unsigned threads = 0;
  bool full = false;
  bool json = false;
  bool orders = false;
  std::string replay;
};

/// False, with the list on stderr, if the name is not among the known ones.
bool is_known(const char* what, const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return true;
  fmt::print(stderr, "hemlock: no {} is called '{}'; known are: {}\n", what, name, fmt::join(known, " "));
  return false;
}

bool wanted(const options& asked, const std::string& lock) {
  return asked.locks.empty() || std::find(asked.locks.begin(), asked.locks.end(), lock) != asked.locks.end();
}

void show_progress(std::size_t done, std::size_t all) {
  fmt::print(stderr, "\r{} of {} checked ", done, all);
}

std::string save(const check::job& one, const check::job_result& result) {
  std::string file = "hemlock-check-" + one.what->name() + ".json";
  std::replace(file.begin(), file.end(), '/', '-');
  std::ofstream(file) << check::replay_file(one, result).dump(2) << "\n";
  return file;
}

/// Lock by scenario; true if all verdicts are the expected ones.
bool check_cases(const options& asked, nlohmann::json& document) {
  std::vector<check::job> jobs;
  for (const auto& each : check::all_cases())
    if (wanted(asked, each.lock) && (asked.scenario.empty() || each.scenario == asked.scenario) &&
        (asked.threads == 0 || each.threads == asked.threads) && (asked.full || !each.full_only))
      jobs.push_back({&each, {}, asked.full});
  const auto results =
      check::run_all(jobs, [&](std::size_t done, std::size_t) { show_progress(done, jobs.size()); });
  fmt::print(stderr, "\n");
  bool all_well = true;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& what = *jobs[i].what;
    const auto& result = results[i];
    const bool failed = static_cast<bool>(result.wrong);
    const bool expected = failed == what.expected_to_fail;
    all_well = all_well && expected;
    const std::string verdict = failed      ? (expected ? "violation found, as the paper says" : "VIOLATION")
                                : !expected ? "NO VIOLATION, but one was expected"
                                : !result.complete ? "no violation up to the limit"
                                : result.max_preemptions >= 0
                                    ? fmt::format("no violation with {} preemptions", result.max_preemptions)
                                    : "no violation";
    if (asked.json) {
      auto row = check::to_json(result);
      row.erase("operations");
      row.erase("path");
      row["violation"] = check::name_of(result.wrong.kind);
      row["case"] = what.name();
      row["expected"] = expected;
      row["verdict"] = verdict;
      document["cases"].push_back(row);
      continue;
    }
    fmt::print("{:<46}{:>10} states {:>9.3g} executions {:>7.2f} s  {}\n", what.name(), result.states,
               result.executions, result.seconds, verdict);
    if (failed && !expected) {
      for (const auto& step : result.steps) fmt::print("  {}\n", step);
      fmt::print("  again: hemlock check --replay {}\n", save(jobs[i], result));
    }
  }
  return all_well;
}

bool check_controls(const options& asked, nlohmann::json& document) {
  if (!asked.scenario.empty() || asked.threads != 0) return true;
  std::vector<check::control> chosen;
  for (const auto& each : check::all_controls())
    if (wanted(asked, each.lock)) chosen.push_back(each);
  bool all_well = true;
  for (const auto& each : chosen) {
    const auto result = check::run(each);
    const bool found = !result.failed_in.empty();
    all_well = all_well && found;
    const std::string verdict = found ? fmt::format("violation found, as the paper says: {} in {}",
                                                    check::name_of(result.last.wrong.kind), result.failed_in)
                                      : "NO VIOLATION, but one was expected";
    if (asked.json)
      document["controls"].push_back({{"lock", each.lock},
                                      {"change", each.what},
                                      {"expected", found},
                                      {"verdict", verdict},
                                      {"text", result.last.wrong.text}});
    else
      fmt::print("{}, if {}: {}\n", each.lock, each.what, verdict);
  }
  return all_well;
}

/// A line per weakened order; true if each makes something fail.
bool check_orders(const options& asked, nlohmann::json& document) {
  std::vector<std::string> locks;
  for (const auto& each : check::lock_names())
    if (wanted(asked, each)) locks.push_back(each);
  std::vector<std::vector<nlohmann::json>> rows(locks.size());
  bool all_well = true;
  std::size_t done = 0;
  check::in_processes(
      locks.size(), 2,
      [&](std::size_t i) {
        nlohmann::json lines = nlohmann::json::array();
        for (const auto& each : check::weakenings(locks[i], check::operations_of(locks[i]))) {
          const auto result = check::run(each);
          lines.push_back({{"lock", each.lock},
                           {"label", each.label},
                           {"from", check::order_name(each.from)},
                           {"to", check::order_name(each.to)},
                           {"fails_in", result.failed_in},
                           {"violation", check::name_of(result.wrong.kind)},
                           {"text", result.wrong.text},
                           {"states", result.states},
                           {"executions", result.executions},
                           {"seconds", result.seconds}});
        }
        return lines;
      },
      [&](std::size_t i, const nlohmann::json& lines) {
        show_progress(++done, locks.size());
        if (!lines.is_array()) {
          all_well = false;
          fmt::print(stderr, "hemlock: {}: {}\n", locks[i], lines.dump());
          return;
        }
        rows[i] = lines.get<std::vector<nlohmann::json>>();
      });
  fmt::print(stderr, "\n");
  for (const auto& lines : rows)
    for (const auto& row : lines) {
      const auto failed_in = row.at("fails_in").get<std::string>();
      all_well = all_well && !failed_in.empty();
      if (asked.json)
        document["orders"].push_back(row);
      else
        fmt::print("| {} | {} | {} | {} | {} | {} | {:.3g} | {:.1f} |\n", row.at("lock").get<std::string>(),
                   row.at("label").get<std::string>(), row.at("from").get<std::string>(),
                   row.at("to").get<std::string>(), failed_in.empty() ? "nothing fails" : failed_in,
                   failed_in.empty() ? "-" : row.at("violation").get<std::string>(),
                   row.at("executions").get<double>(), row.at("seconds").get<double>());
    }
  return all_well;
}

int replay(const std::string& file) {
  std::ifstream in(file);
  const auto data = nlohmann::json::parse(in, nullptr, false);
  if (data.is_discarded()) {
    fmt::print(stderr, "hemlock: {} is not a file that `hemlock check` has saved\n", file);
    return wrong_usage;
  }
  const auto result = check::replay(data);
  for (const auto& step : result.steps) fmt::print("{}\n", step);
  return data.at("verdict") == "none" ? success : unexpected_verdict;
}

int run_check(options asked, const std::string& command) {
  if (!asked.replay.empty()) return replay(asked.replay);
  if (asked.locks == std::vector<std::string>{"all"}) asked.locks.clear();
  for (const auto& each : asked.locks)
    if (!is_known("lock", each, check::lock_names())) return wrong_usage;
  if (!asked.scenario.empty() && !is_known("scenario", asked.scenario, check::scenario_names()))
    return wrong_usage;
  nlohmann::json document = asked.json ? report::document(command) : nlohmann::json::object();
  bool all_well;
  if (asked.orders) {
    all_well = check_orders(asked, document);
  } else {
    all_well = check_cases(asked, document);
    all_well = check_controls(asked, document) && all_well;
  }
  if (asked.json) fmt::print("{}\n", document.dump(2));
  return all_well ? success : unexpected_verdict;
}

}  // namespace

void add_check(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand("check", "Check locks exhaustively, under the C++ memory model.");
  auto asked = std::make_shared<options>();
  command->add_option("locks", asked->locks, "Which locks; all, if none is named");
  command->add_option("--scenario", asked->scenario, "Only this scenario");
  command->add_option("--threads", asked->threads, "Only programs of so many threads");
  command->add_flag("--full", asked->full, "The large sizes too");
  command->add_flag("--json", asked->json, "Results as JSON");
  command->add_flag("--orders", asked->orders, "Weaken each memory order in turn and show what then fails");
  command->add_option("--replay", asked->replay, "Run a saved violation again and show its steps");
  command->callback([asked, &result] { result.code = run_check(*asked, result.command); });
}

}  // namespace hemlock::cli
