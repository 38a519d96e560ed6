#include "cli/metric.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "cli/served_locks.hpp"

namespace hemlock::cli {
namespace {
constexpr std::string_view regex_prefix = "regex:";
}

metric::metric(const std::string& text, report::better of_regex) : text_{text} {
  if (text == "time") {
    axis_ = {"time", "s"};
  } else if (text == "cpu") {
    axis_ = {"CPU time", "s"};
  } else if (text == "max-rss") {
    axis_ = {"memory", "B"};
  } else if (text.starts_with(regex_prefix)) {
    axis_ = {"figure printed", ""};
    direction_ = of_regex;
    try {
      expression_.emplace(text.substr(regex_prefix.size()));
    } catch (const std::regex_error& error) {
      throw usage_error{fmt::format("'{}' is not a regular expression: {}", text.substr(regex_prefix.size()),
                                    error.what())};
    }
  } else {
    throw usage_error{fmt::format("unknown metric '{}'; known: time, cpu, max-rss, regex:EXPRESSION", text)};
  }
}

std::string metric::shows() const {
  if (text_ == "time") return "How long the whole program takes from start to end under each lock.";
  if (text_ == "cpu") return "How much CPU time, user and system together, the program uses under each lock.";
  if (text_ == "max-rss") return "How much memory the program has resident at its largest under each lock.";
  return "A figure that the program prints, under each lock.";
}

std::optional<double> metric::of(const child_run& run) const {
  if (text_ == "time") return run.wall.count();
  if (text_ == "cpu") return run.cpu.count();
  if (text_ == "max-rss") return run.max_rss_bytes;
  // Line by line: std::regex recurses, and a program may print a lot. The last figure is the final one.
  std::optional<double> found;
  std::istringstream lines{run.out};
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, *expression_)) continue;
    const auto figure = match.size() > 1 ? match[1].str() : match[0].str();
    char* end = nullptr;
    const double value = std::strtod(figure.c_str(), &end);
    if (end != figure.c_str()) found = value;
  }
  return found;
}

}  // namespace hemlock::cli
