// hemlock run: becomes the program, with one of our locks inside its mutexes.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "cli/command.hpp"
#include "cli/preloading.hpp"
#include "cli/program_arguments.hpp"
#include "cli/served_locks.hpp"

namespace hemlock::cli {
namespace {

struct options {
  std::string lock = "mutex";
  std::string wait;
  bool stats = false;
};

/// Returns only if the program could not be started; then as env(1): 127 if it is not there, else 126.
int become(const std::vector<std::string>& program, const environment& changes) {
  take_on(changes);
  auto arguments = argument_pointers(program);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  fmt::print(stderr, "hemlock run: {}: {}\n", program[0], std::strerror(error));
  return error == ENOENT ? not_found : cannot_execute;
}

}  // namespace

void add_run(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand("run", "Run a program with one of our locks inside its mutexes.");
  auto asked = std::make_shared<options>();
  command
      ->add_option("-l,--lock", asked->lock,
                   "The lock; see `hemlock list`. `native` leaves the program as it is")
      ->capture_default_str();
  command->add_option("-w,--wait", asked->wait, "How threads wait: spin, yield, park or auto")
      ->type_name("POLICY");
  command->add_flag("--stats", asked->stats,
                    "Print the locks' statistics to standard error when the program ends");
  take_program(*command);
  command->footer(
      "Exit code: the program's own; 125 if we fail, 126 if it cannot be run, 127 if it is not there.");
  command->callback([asked, command, &result] {
    const auto program = program_of(*command, result);
    check_lock(asked->lock, asked->wait);
    auto changes = environment_for(asked->lock, asked->wait, asked->stats);
    // What was not asked for here the caller may have asked for in the environment.
    if (asked->lock != native_name)
      std::erase_if(changes, [](const auto& one) { return one.second.empty() && one.first != "LD_PRELOAD"; });
    result.code = become(program, changes);
  });
}

}  // namespace hemlock::cli
