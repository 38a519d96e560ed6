// A short sleep that is no cancellation point, for the rare waits that nobody would end by a wake-up.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "hemlock/platform/futex.hpp"
#include "hemlock/platform/spin_bound.hpp"

namespace hemlock::preload {

class napper {
public:
  /// Longer each time, from 20 microseconds to a millisecond.
  void nap() noexcept {
    sleep_for(length_);
    length_ = std::min<std::uint64_t>(2 * length_, 1'000'000);
  }
  /// About as short as the kernel makes them.
  static void one_nap() noexcept { sleep_for(20'000); }

private:
  static void sleep_for(std::uint64_t nanoseconds) noexcept {
    const std::uint64_t end = monotonic_nanoseconds() + nanoseconds;
    const timespec when{static_cast<time_t>(end / 1'000'000'000U), static_cast<long>(end % 1'000'000'000U)};
    std::atomic<std::uint32_t> nobody_writes_this{0};
    futex_wait(futex_address(nobody_writes_this), 0, &when);
  }

  std::uint64_t length_ = 20'000;
};

}  // namespace hemlock::preload
