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
    const std::uint64_t end = monotonic_nanoseconds() + length_;
    const timespec when{static_cast<time_t>(end / 1'000'000'000U), static_cast<long>(end % 1'000'000'000U)};
    std::atomic<std::uint32_t> nobody_writes_this{0};
    futex_wait(futex_address(nobody_writes_this), 0, &when);
    length_ = std::min<std::uint64_t>(2 * length_, 1'000'000);
  }

private:
  std::uint64_t length_ = 20'000;
};

}  // namespace hemlock::preload
