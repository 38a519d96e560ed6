// Ctrl-C, so that a measurement ends between two runs and keeps what it has.
#pragma once

#include <csignal>

namespace hemlock::report {

/// While one lives, the first SIGINT or SIGTERM only sets a flag; the second one kills as ever.
/// One at a time in a process.
class interrupt_guard {
public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;

  /// Safe to ask from any thread, as often as wanted.
  static bool interrupted() noexcept;
  /// The signal that came, or 0.
  static int signal() noexcept;

private:
  struct sigaction before_int_ = {};
  struct sigaction before_term_ = {};
};

}  // namespace hemlock::report
