// A point in time at which a wait ends, on one of the two clocks that the kernel can wait by.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace hemlock {

struct deadline {
  timespec when;
  bool realtime;  ///< CLOCK_REALTIME, which can be set; else CLOCK_MONOTONIC, which cannot

  bool passed() const noexcept {
    timespec now;
    ::clock_gettime(realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
    return now.tv_sec != when.tv_sec ? now.tv_sec > when.tv_sec : now.tv_nsec >= when.tv_nsec;
  }

  /// libstdc++ and libc++ read their steady and system clocks from the kernel's two, so their time points are
  /// ours. A time before the epoch is the epoch: the kernel refuses negative times.
  template <class Duration>
  static deadline at(std::chrono::time_point<std::chrono::steady_clock, Duration> point) noexcept {
    return since_epoch(point.time_since_epoch(), false);
  }
  template <class Duration>
  static deadline at(std::chrono::time_point<std::chrono::system_clock, Duration> point) noexcept {
    return since_epoch(point.time_since_epoch(), true);
  }

  template <class Rep, class Period>
  static deadline in(std::chrono::duration<Rep, Period> span) noexcept {
    using namespace std::chrono;
    // The longest span a user can name must not overflow: 100 years is for ever.
    constexpr auto for_ever = hours{24 * 365 * 100};
    const auto now = steady_clock::now();
    if (span >= for_ever) return at(now + for_ever);
    return at(now + ceil<nanoseconds>(std::max(span, std::chrono::duration<Rep, Period>::zero())));
  }

private:
  template <class Duration>
  static deadline since_epoch(Duration span, bool realtime) noexcept {
    using namespace std::chrono;
    if (span <= Duration::zero()) return {{0, 0}, realtime};
    const auto whole = floor<seconds>(span);
    // The kernel counts nanoseconds in 63 bits, which is 292 years.
    constexpr std::int64_t longest =
        std::min<std::int64_t>(std::numeric_limits<time_t>::max(), 9'000'000'000);
    if (whole.count() >= longest) return {{static_cast<time_t>(longest), 0}, realtime};
    const auto rest = std::min<std::int64_t>(ceil<nanoseconds>(span - whole).count(), 999'999'999);
    return {{static_cast<time_t>(whole.count()), static_cast<long>(rest)}, realtime};
  }
};

}  // namespace hemlock
