#include "cli/program_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/served_locks.hpp"

namespace hemlock::cli {
namespace {

/// The usage line tells of the program, which CLI11 knows nothing of.
class program_formatter : public CLI::Formatter {
public:
  std::string make_usage(const CLI::App* command, std::string) const override {
    return fmt::format("Usage: hemlock {} [OPTIONS] -- PROGRAM [ARGUMENTS...]\n", command->get_name());
  }
};

/// `--json ./program`: its file name may be left out, so it takes what follows.
std::string swallowed_by_json(const CLI::App& command) {
  const auto* json = command.get_option_no_throw("--json");
  if (json == nullptr || json->empty() || json->results().back().empty()) return "";
  return fmt::format("\n  (--json took '{}' for its file: put -- before the program)",
                     json->results().back());
}

}  // namespace

void take_program(CLI::App& command) {
  command.prefix_command();
  command.formatter(std::make_shared<program_formatter>());
}

std::vector<std::string> cut_program(const CLI::App& app, int& argc, char** argv) {
  const auto end = argv + argc;
  const auto mark = std::find(argv, end, std::string_view{"--"});
  if (mark == end || mark == argv + 1) return {};
  const auto takes_program = app.get_subcommands([&](const CLI::App* command) {
    return command->get_name() == argv[1] && command->get_prefix_command();
  });
  if (takes_program.empty()) return {};
  argc = static_cast<int>(mark - argv);
  return {mark + 1, end};
}

std::vector<std::string> optional_program_of(const CLI::App& command, const outcome& result) {
  auto words = command.remaining();
  if (!words.empty() && words.front().starts_with('-'))
    throw usage_error{
        fmt::format("unknown option {}; `hemlock {} --help` lists them", words.front(), command.get_name())};
  // Without a mark before the program, a later "--" is its own.
  if (!words.empty() && !result.program.empty()) words.emplace_back("--");
  words.insert(words.end(), result.program.begin(), result.program.end());
  return words;
}

std::vector<std::string> program_of(const CLI::App& command, const outcome& result) {
  auto words = optional_program_of(command, result);
  if (words.empty())
    throw usage_error{fmt::format("no program given: hemlock {} [OPTIONS] -- PROGRAM{}", command.get_name(),
                                  swallowed_by_json(command))};
  return words;
}

std::vector<char*> argument_pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const auto& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace hemlock::cli
