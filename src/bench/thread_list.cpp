#include "bench/thread_list.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "hemlock/platform/cpu_budget.hpp"

namespace hemlock::bench {
namespace {

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(std::string_view part, std::string_view why) {
  throw std::invalid_argument(
      fmt::format("'{}' is no list of thread counts: {} (expected e.g. 1,2,4-64x2)", part, why));
}

/// A trailing c means: times the CPUs.
int thread_count(std::string_view part, std::string_view text) {
  const bool per_cpu = text.ends_with('c');
  auto value = number<long>(per_cpu ? text.substr(0, text.size() - 1) : text);
  if (!value) refuse(part, fmt::format("'{}' is not a number", text));
  if (per_cpu && *value <= most_threads) *value *= cpu_budget();
  if (*value < 1 || *value > most_threads)
    refuse(part, fmt::format("{} is not between 1 and {}", *value, most_threads));
  return static_cast<int>(*value);
}

void add_range(std::vector<int>& counts, std::string_view part) {
  const auto dash = part.find('-');
  if (dash == std::string_view::npos) {
    counts.push_back(thread_count(part, part));
    return;
  }
  const auto times = part.find('x', dash);
  const int first = thread_count(part, part.substr(0, dash));
  const int last =
      thread_count(part, part.substr(dash + 1, times == std::string_view::npos ? times : times - dash - 1));
  if (last < first) refuse(part, "the range runs backwards");
  if (times == std::string_view::npos) {
    for (int count = first; count <= last; ++count) counts.push_back(count);
    return;
  }
  const auto factor = number<long>(part.substr(times + 1));
  if (!factor || *factor < 2 || *factor > most_threads) refuse(part, "the factor must be a number from 2 on");
  for (long count = first; count <= last; count *= *factor) counts.push_back(static_cast<int>(count));
}

}  // namespace

std::vector<int> parse_thread_list(std::string_view text) {
  std::vector<int> counts;
  while (true) {
    const auto comma = text.find(',');
    add_range(counts, text.substr(0, comma));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

std::chrono::nanoseconds parse_duration(std::string_view text) {
  struct unit {
    std::string_view suffix;
    double nanoseconds;
  };
  // Longer suffixes first: "ms" also ends in "s".
  constexpr std::array units{unit{"ms", 1e6}, unit{"us", 1e3}, unit{"ns", 1},
                             unit{"s", 1e9},  unit{"m", 60e9}, unit{"", 1e9}};
  constexpr double longest = 24 * 3600e9;
  for (const auto& [suffix, scale] : units) {
    if (!text.ends_with(suffix)) continue;
    const auto value = number<double>(text.substr(0, text.size() - suffix.size()));
    if (!value || !std::isfinite(*value) || *value < 0 || *value * scale > longest) break;
    return std::chrono::nanoseconds{static_cast<std::chrono::nanoseconds::rep>(*value * scale)};
  }
  throw std::invalid_argument(
      fmt::format("'{}' is no duration (expected e.g. 10, 10s, 250ms or 2m; a day at most)", text));
}

}  // namespace hemlock::bench
