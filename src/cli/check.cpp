// hemlock check: every lock through every scenario, under the C++ memory model.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
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
  int preemptions = -1;
  bool full = false;
  bool json = false;
  bool markdown = false;
  bool orders = false;
  std::string replay;
  std::string save;
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
  fmt::print(stderr, "\r{} of {} checked{}", done, all, done == all ? "\n" : " ");
}

std::string save(const options& asked, const check::job& one, const check::job_result& result) {
  std::string name = "hemlock-check-" + one.what->name();
  for (const auto& each : one.changes.all()) name += "-" + each.label;
  std::replace(name.begin(), name.end(), '/', '-');
  const auto file = std::filesystem::path(asked.save.empty() ? "." : asked.save) / (name + ".json");
  std::ofstream(file) << check::replay_file(one, result).dump(2) << "\n";
  return file.string();
}

std::string verdict_of(const check::check_case& what, const check::job_result& result) {
  const bool failed = static_cast<bool>(result.wrong);
  if (failed && what.expected_to_fail)
    return fmt::format("violation found, as the paper says: {}", check::name_of(result.wrong.kind));
  if (failed) return fmt::format("VIOLATION: {}", check::name_of(result.wrong.kind));
  if (what.expected_to_fail) return "NO VIOLATION, but one was expected";
  if (!result.complete) return fmt::format("no violation in the first {} states", result.states);
  if (result.max_preemptions >= 0)
    return fmt::format("no violation with up to {} preemptions", result.max_preemptions);
  return "no violation";
}

/// What the programs of one lock and one way of waiting have come to.
struct summary {
  std::string lock;
  std::string waiting;
  std::size_t programs = 0;
  std::uint64_t states = 0;
  double executions = 0;
  double seconds = 0;
  std::vector<std::string> exceptions;  ///< all that is not plainly "no violation"
};

void print(const std::vector<summary>& all) {
  fmt::print("| lock | waits by | programs | states | executions | s | not plainly \"no violation\" |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const auto& each : all)
    fmt::print("| {} | {} | {} | {} | {:.1g} | {:.1f} | {} |\n", each.lock, each.waiting, each.programs,
               each.states, each.executions, each.seconds, fmt::join(each.exceptions, "; "));
}

void add_to(std::vector<summary>& all, const check::check_case& what, const check::job_result& result) {
  if (all.empty() || all.back().lock != what.lock || all.back().waiting != what.waiting)
    all.push_back({.lock = what.lock, .waiting = what.waiting, .exceptions = {}});
  auto& one = all.back();
  ++one.programs;
  one.states += result.states;
  one.executions += result.executions;
  one.seconds += result.seconds;
  const std::string verdict = verdict_of(what, result);
  if (verdict != "no violation")
    one.exceptions.push_back(fmt::format("{}/{}: {}", what.scenario, what.size, verdict));
}

/// Lock by scenario; true if all verdicts are the expected ones.
bool check_cases(const options& asked, nlohmann::json& document) {
  std::vector<check::job> jobs;
  for (const auto& each : check::all_cases())
    if (wanted(asked, each.lock) && (asked.scenario.empty() || each.scenario == asked.scenario) &&
        (asked.threads == 0 || each.threads == asked.threads) && (asked.full || !each.full_only))
      jobs.push_back({&each, {}, asked.full, 0, asked.preemptions});
  const auto results =
      check::run_all(jobs, [&](std::size_t done, std::size_t) { show_progress(done, jobs.size()); });
  bool all_well = true;
  std::vector<summary> summaries;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto& what = *jobs[i].what;
    const auto& result = results[i];
    const bool failed = static_cast<bool>(result.wrong);
    const bool expected = failed == what.expected_to_fail;
    all_well = all_well && expected;
    const std::string verdict = verdict_of(what, result);
    std::string saved;
    if (failed && (!expected || !asked.save.empty())) saved = save(asked, jobs[i], result);
    if (asked.json) {
      auto row = check::to_json(result);
      row.erase("operations");
      row.erase("path");
      row["violation"] = check::name_of(result.wrong.kind);
      row["case"] = what.name();
      row["expected"] = expected;
      row["verdict"] = verdict;
      if (!saved.empty()) row["replay"] = saved;
      document["cases"].push_back(row);
    } else if (asked.markdown) {
      add_to(summaries, what, result);
    } else {
      fmt::print("{:<46}{:>10} states {:>9.3g} executions {:>7.2f} s  {}\n", what.name(), result.states,
                 result.executions, result.seconds, verdict);
    }
    if (failed && !expected && !asked.json) {
      for (const auto& step : result.steps) fmt::print("  {}\n", step);
      fmt::print("  again: hemlock check --replay {}\n", saved);
    }
  }
  if (asked.markdown) print(summaries);
  return all_well;
}

bool check_controls(const options& asked, nlohmann::json& document) {
  if (!asked.scenario.empty() || asked.threads != 0) return true;
  std::vector<check::control> chosen;
  for (const auto& each : check::all_controls())
    if (wanted(asked, each.lock)) chosen.push_back(each);
  bool all_well = true;
  if (asked.markdown && !chosen.empty())
    fmt::print("\n| lock | if | then fails | how |\n|---|---|---|---|\n");
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto& each = chosen[i];
    const auto result = check::run(each);
    const bool found = !result.failed_in.empty();
    all_well = all_well && found;
    const std::string how = check::name_of(result.last.wrong.kind);
    const std::string verdict =
        found ? fmt::format("violation found, as the paper says: {} in {}", how, result.failed_in)
              : "NO VIOLATION, but one was expected";
    std::string saved;
    if (found && !asked.save.empty()) saved = save(asked, result.failed, result.last);
    if (asked.json)
      document["controls"].push_back({{"lock", each.lock},
                                      {"change", each.what},
                                      {"expected", found},
                                      {"verdict", verdict},
                                      {"text", result.last.wrong.text},
                                      {"replay", saved}});
    else if (asked.markdown)
      fmt::print("| {} | {} | {} | {} |\n", each.lock, each.what, found ? result.failed_in : "nothing", how);
    else
      fmt::print("{}, if {}: {}\n", each.lock, each.what, verdict);
  }
  return all_well;
}

/// A line per weakened order; true if each makes something fail.
bool check_orders(const options& asked, nlohmann::json& document) {
  std::vector<std::string> locks;
  for (const auto& each : asked.locks.empty() ? check::locks_with_orders() : check::lock_names())
    if (wanted(asked, each)) locks.push_back(each);
  const auto report = check::report_orders(locks, asked.full, show_progress);
  bool all_well = true;
  if (!asked.json)
    fmt::print(
        "| lock | operation | order | weakened to | then fails | how | states | s |\n"
        "|---|---|---|---|---|---|---|---|\n");
  for (const auto& row : report.rows) {
    all_well = all_well && !row.failed_in.empty();
    if (asked.json)
      document["orders"].push_back({{"lock", row.what.lock},
                                    {"operation", row.what.where},
                                    {"label", row.what.label},
                                    {"function", row.what.function},
                                    {"line", row.what.line},
                                    {"from", check::order_name(row.what.from)},
                                    {"to", check::order_name(row.what.to)},
                                    {"fails_in", row.failed_in},
                                    {"violation", row.violation},
                                    {"text", row.text},
                                    {"states", row.states},
                                    {"executions", row.executions},
                                    {"seconds", row.seconds}});
    else
      fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.1f} |\n", row.what.lock, row.what.where,
                 check::order_name(row.what.from), check::order_name(row.what.to),
                 row.failed_in.empty() ? "nothing" : row.failed_in.substr(row.what.lock.size() + 1),
                 row.failed_in.empty() ? "-" : row.violation, row.states, row.seconds);
  }
  return all_well;
}

int replay(const std::string& file) {
  std::ifstream in(file);
  const auto data = nlohmann::json::parse(in, nullptr, false);
  try {
    if (!data.is_object()) throw std::invalid_argument("no JSON object");
    const auto result = check::replay(data);
    for (const auto& step : result.steps) fmt::print("{}\n", step);
    return data.at("verdict") == "none" ? success : unexpected_verdict;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hemlock: {} is not a file that `hemlock check` has saved: {}\n", file, error.what());
    return wrong_usage;
  }
}

int run_check(options asked, const std::string& command) {
  if (!asked.replay.empty()) return replay(asked.replay);
  if (asked.locks == std::vector<std::string>{"all"}) asked.locks.clear();
  for (const auto& each : asked.locks)
    if (!is_known("lock", each, check::lock_names())) return wrong_usage;
  if (!asked.scenario.empty() && !is_known("scenario", asked.scenario, check::scenario_names()))
    return wrong_usage;
  if (!asked.save.empty() && !std::filesystem::is_directory(asked.save)) {
    fmt::print(stderr, "hemlock: there is no directory {}\n", asked.save);
    return wrong_usage;
  }
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
  command
      ->add_option("--preemptions", asked->preemptions,
                   "At most so many in an execution; without it, any number")
      ->check(CLI::Range(0, 200));
  command->add_flag("--full", asked->full, "The large sizes too");
  auto* json = command->add_flag("--json", asked->json, "Results as JSON");
  command->add_flag("--markdown", asked->markdown, "Results as the tables of docs/verification.md")
      ->excludes(json);
  command->add_flag("--orders", asked->orders, "Weaken each memory order in turn and show what then fails");
  command->add_option("--save", asked->save, "Save every violation, expected ones too, in this directory");
  command->add_option("--replay", asked->replay, "Run a saved violation again and show its steps");
  command->callback([asked, &result] { result.code = run_check(*asked, result.command); });
}

}  // namespace hemlock::cli
