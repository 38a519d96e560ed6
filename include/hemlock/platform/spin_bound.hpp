// How long to spin before giving the CPU away, as a count of cpu_relax() calls.
#pragma once

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "cpu_budget.hpp"
#include "cpu_relax.hpp"

namespace hemlock {

/// About what parking and waking a thread costs: spinning for longer than that is never repaid twice over.
inline constexpr std::uint32_t spin_bound_nanoseconds = 4000;

inline std::uint64_t monotonic_nanoseconds() noexcept {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

namespace detail {

/// PAUSE takes about 4 ns on some x86 processors and 60 on others, so a bound in iterations means nothing.
[[gnu::cold, gnu::noinline]] inline std::uint32_t measure_relaxes_per_bound() noexcept {
  constexpr std::uint32_t sample = 128;
  std::uint64_t fastest = ~std::uint64_t{0};
  for (int attempt = 0; attempt < 4; ++attempt) {  // the fastest: an interrupt only ever adds
    const std::uint64_t start = monotonic_nanoseconds();
    for (std::uint32_t i = 0; i < sample; ++i) cpu_relax();
    fastest = std::min(fastest, monotonic_nanoseconds() - start);
  }
  const std::uint64_t count =
      std::uint64_t{spin_bound_nanoseconds} * sample / std::max<std::uint64_t>(fastest, 1);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(count, 16, 100'000));
}

}  // namespace detail

/// The number of cpu_relax() calls in spin_bound_nanoseconds, measured at the first use.
inline std::uint32_t relaxes_per_spin_bound() noexcept {
  static std::atomic<std::uint32_t> known{0};
  std::uint32_t count = known.load(std::memory_order_relaxed);
  if (count == 0) {
    count = detail::measure_relaxes_per_bound();
    known.store(count, std::memory_order_relaxed);  // two threads may measure; either answer will do
  }
  return count;
}

/// As above, but none on one CPU: there, whoever we wait for cannot run until we stop.
inline std::uint32_t relaxes_worth_spinning() noexcept {
  return cpu_budget() > 1 ? relaxes_per_spin_bound() : 0;
}

}  // namespace hemlock
