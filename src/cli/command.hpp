// What a subcommand is: it adds itself to the command line; when chosen, its callback sets the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hemlock::cli {

/// Exit codes of our own; `run`, `compare` and `profile` otherwise pass on the child's.
enum exit_code : int {
  success = 0,
  unexpected_verdict = 1,  ///< check: a verdict is not the expected one; diff: past the threshold
  wrong_usage = 2,
  own_failure = 125,     ///< as env(1): we ourselves failed
  cannot_execute = 126,  ///< the program was found, but cannot be run
  not_found = 127,       ///< no such program
};

/// What main and the subcommand that runs tell each other.
struct outcome {
  int code = success;   ///< set by the subcommand
  std::string command;  ///< set by main: the whole command line as typed, for report::document()
  std::vector<std::string> program = {};  ///< set by main: what stands after "--"; see program_arguments.hpp
};

void add_bench(CLI::App& app, outcome& result);
void add_check(CLI::App& app, outcome& result);
void add_compare(CLI::App& app, outcome& result);
void add_diff(CLI::App& app, outcome& result);
void add_doctor(CLI::App& app, outcome& result);
void add_list(CLI::App& app, outcome& result);
void add_paper(CLI::App& app, outcome& result);
void add_profile(CLI::App& app, outcome& result);
void add_report(CLI::App& app, outcome& result);
void add_run(CLI::App& app, outcome& result);
void add_sim(CLI::App& app, outcome& result);

}  // namespace hemlock::cli
