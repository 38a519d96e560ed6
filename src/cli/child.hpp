// One run of a program, watched: how it ended, how long it took, what it used and printed.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/preloading.hpp"

namespace hemlock::cli {

struct child_run {
  enum class end { exited, signalled, timed_out, interrupted, not_started };
  end how = end::not_started;
  int number = 0;  ///< exit code, signal, or errno of the start
  std::chrono::duration<double> wall{};
  std::chrono::duration<double> cpu{};  ///< user and system
  double max_rss_bytes = 0;
  std::string out;         ///< standard output, if it was to be kept
  std::string last_words;  ///< the last line on standard error

  /// As a shell would report it; 124 for a timeout, as timeout(1).
  int exit_code() const;
  /// "exit code 3", "killed by SIGSEGV", "timed out after 5 s"; with its last words.
  std::string describe() const;
};

struct child_order {
  std::vector<std::string> command;
  environment changes = {};
  std::chrono::duration<double> timeout{600};
  bool keep_output = false;  ///< else standard output goes nowhere
};

/// Runs it in a process group of its own, standard input empty. After the timeout, or when the user interrupts us
/// (an interrupt_guard must live), the whole group is ended. Output goes to memory files, so that nobody but the
/// program runs while it is measured.
child_run run_child(const child_order& order);

}  // namespace hemlock::cli
