// --json, --csv, --html and -q: the same in every subcommand that measures.
#pragma once

#include <CLI/CLI.hpp>

#include "report/outputs.hpp"

namespace hemlock::cli {

struct output_options {
  report::outputs files;
  bool quiet = false;

  void add_to(CLI::App& command);
  /// Before measuring: throws report::unwritable; usage_error if a file is a program, which nobody means.
  void check() const;
  /// Afterwards: the files, the table on stdout (unless a file goes there), and where the page is.
  void publish(const report::results& all) const;
};

}  // namespace hemlock::cli
