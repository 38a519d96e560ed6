// hemlock: the tool. Each subcommand is a file of its own beside this one.
#include <fmt/core.h>

#include <exception>

#include "cli/command.hpp"
#include "cli/program_arguments.hpp"
#include "cli/served_locks.hpp"
#include "report/build_info.hpp"
#include "report/document.hpp"

int main(int argc, char** argv) {
  using namespace hemlock::cli;
  CLI::App app{"Locks that are compact, fair and fast: choose them, check them, measure them.", "hemlock"};
  app.set_version_flag("--version", fmt::format("hemlock {}", hemlock::report::version));
  app.require_subcommand(1);
  app.footer("Exit codes: 0 success, 2 wrong usage, 125 our own failure; see docs/cli.md for the others.");
  outcome result;
  result.command = hemlock::report::shell_quoted({argv, argv + argc});
  add_bench(app, result);
  add_check(app, result);
  add_compare(app, result);
  add_diff(app, result);
  add_doctor(app, result);
  add_list(app, result);
  add_paper(app, result);
  add_profile(app, result);
  add_report(app, result);
  add_run(app, result);
  add_sim(app, result);
  try {
    result.program = cut_program(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? success : wrong_usage;
  } catch (const usage_error& error) {
    fmt::print(stderr, "hemlock: {}\n", error.what());
    return wrong_usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hemlock: {}\n", error.what());
    return own_failure;
  }
  return result.code;
}
