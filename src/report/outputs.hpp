// The files that a user asked for: opened before anything is measured, written at the end.
#pragma once

#include <stdexcept>
#include <string>

#include "report/experiment.hpp"

namespace hemlock::report {

/// A file that cannot be written; its text names the file and the reason.
struct unwritable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// "-" is stdout, empty is "not wanted".
struct outputs {
  std::string json = {};
  std::string csv = {};
  std::string html = {};

  /// Throws unwritable. Nothing is truncated: an old report stays until the new one is complete.
  void check() const;
  /// Through a temporary file beside each, renamed when complete. Throws unwritable.
  void write(const results& all) const;
  /// Whether stdout is taken by one of them, so that no table may go there.
  bool take_stdout() const { return json == "-" || csv == "-" || html == "-"; }
};

/// The same for any single text.
void check_writable(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace hemlock::report
