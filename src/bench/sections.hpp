// What a thread does while it holds the lock, and between two acquisitions.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace hemlock::bench {

/// So many steps of a std::mt19937, or a number of them drawn anew each time from [0, below).
struct section {
  std::uint32_t steps = 0;
  std::uint32_t below = 0;  ///< 0: always `steps`

  bool empty() const noexcept { return steps == 0 && below == 0; }
  bool operator==(const section&) const = default;
};

struct sections {
  section critical;
  section other;

  bool empty() const noexcept { return critical.empty() && other.empty(); }
};

/// "empty", "5" (steps) or "uniform:400" (drawn from [0,400)). Throws std::invalid_argument.
section parse_section(std::string_view text);
std::string to_string(const section& what);

/// The paper's two loads.
inline constexpr sections maximum_contention{};
inline constexpr sections moderate_contention{.critical = {.steps = 5}, .other = {.below = 400}};

/// Keeps the compiler from dropping the work.
inline void step(std::mt19937& generator, std::uint32_t times) noexcept {
  for (std::uint32_t i = 0; i < times; ++i) {
    const auto drawn = generator();
    asm volatile("" ::"r"(drawn));
  }
}

/// How long this section is, this time.
inline std::uint32_t length_of(const section& what, std::mt19937& own) noexcept {
  if (what.below == 0) return what.steps;
  return std::uniform_int_distribution<std::uint32_t>(0, what.below - 1)(own);
}

}  // namespace hemlock::bench
