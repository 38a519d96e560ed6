// "-- prog args...": the program that a subcommand runs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace hemlock::cli {

/// From `--`, or from the first word that is no option of ours, everything belongs to the program.
void take_program(CLI::App& command);

/// For main: takes "--" and what follows off the command line, if the subcommand there takes a program. CLI11
/// itself hands what follows "--" to the wrong App.
std::vector<std::string> cut_program(const CLI::App& app, int& argc, char** argv);

/// Throws usage_error when there is none.
std::vector<std::string> program_of(const CLI::App& command, const outcome& result);

/// The same or an empty list.
std::vector<std::string> optional_program_of(const CLI::App& command, const outcome& result);

/// What exec wants; points into `words`.
std::vector<char*> argument_pointers(const std::vector<std::string>& words);

}  // namespace hemlock::cli
