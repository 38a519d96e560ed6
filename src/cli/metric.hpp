// The figure that `compare` takes from each run.
#pragma once

#include <optional>
#include <regex>
#include <string>

#include "cli/child.hpp"
#include "report/experiment.hpp"

namespace hemlock::cli {

class metric {
public:
  /// "time", "cpu", "max-rss" or "regex:EXPRESSION". Throws usage_error.
  explicit metric(const std::string& text, report::better of_regex);

  /// Nothing if the program printed no figure.
  std::optional<double> of(const child_run& run) const;

  const std::string& text() const { return text_; }
  const report::axis& axis() const { return axis_; }
  report::better direction() const { return direction_; }
  std::string shows() const;
  bool needs_output() const { return expression_.has_value(); }

private:
  std::string text_;
  report::axis axis_;
  report::better direction_ = report::better::lower;
  std::optional<std::regex> expression_;
};

}  // namespace hemlock::cli
