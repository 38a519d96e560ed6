#include "bench/sections.hpp"

#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <stdexcept>

namespace hemlock::bench {
namespace {

std::optional<std::uint32_t> steps_in(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

section parse_section(std::string_view text) {
  constexpr std::string_view uniform = "uniform:";
  if (text == "empty") return {};
  if (text.starts_with(uniform)) {
    const auto below = steps_in(text.substr(uniform.size()));
    if (below && *below > 0) return {.steps = 0, .below = *below};
  } else if (const auto steps = steps_in(text)) {
    return {.steps = *steps, .below = 0};
  }
  throw std::invalid_argument(
      fmt::format("'{}' is no section (expected empty, a number of steps such as 5, or uniform:400)", text));
}

std::string to_string(const section& what) {
  if (what.empty()) return "empty";
  return what.below > 0 ? fmt::format("uniform:{}", what.below) : std::to_string(what.steps);
}

}  // namespace hemlock::bench
