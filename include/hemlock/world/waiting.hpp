// The waiting policies: what a thread does between two looks at a word that another will change.
#pragma once

#include <sched.h>

#include <cstdint>
#include <string_view>

#include "../platform/cpu_relax.hpp"
#include "../platform/spin_bound.hpp"

namespace hemlock::waiting {

/// Spins for ever. The fastest while threads do not outnumber CPUs, a disaster when they do.
struct spin {
  static constexpr std::string_view name = "spin";
  static constexpr bool may_park = false;
  static constexpr bool must_park = false;
  static std::uint32_t spins() noexcept { return 0; }
};

/// Spins for a bounded time, then offers the CPU to others at each look.
struct yield {
  static constexpr std::string_view name = "yield";
  static constexpr bool may_park = false;
  static constexpr bool must_park = false;
  static std::uint32_t spins() noexcept { return relaxes_per_spin_bound(); }
};

/// Spins for a bounded time, then sleeps until woken. Only for locks that know how to wake.
struct park {
  static constexpr std::string_view name = "park";
  static constexpr bool may_park = true;
  static constexpr bool must_park = true;
  static std::uint32_t spins() noexcept { return relaxes_per_spin_bound(); }
};

/// By the CPU budget: no spinning at all on one CPU, else a bounded time; then sleeps where the lock knows
/// how, and yields where it does not.
struct automatic {
  static constexpr std::string_view name = "auto";
  static constexpr bool may_park = true;
  static constexpr bool must_park = false;
  static std::uint32_t spins() noexcept { return relaxes_worth_spinning(); }
};

/// One wait loop's state. Made at the first look, stepped between looks.
template <class Policy>
class spinner {
public:
  /// Between two looks, in a loop that nobody would wake: never sleeps.
  void pause() noexcept {
    if (left_ > 0) {
      --left_;
      cpu_relax();
    } else {
      ::sched_yield();
    }
  }

  /// Between two looks, in a loop whose other side knows how to wake: false when it is time to park.
  bool pause_or_park() noexcept {
    if (Policy::may_park && left_ == 0) return false;
    pause();
    return true;
  }

  /// Likewise, with pauses that double, for a loop whose every look disturbs the one it waits for.
  bool back_off_or_park() noexcept {
    for (std::uint32_t i = 0; i < stretch_; ++i) {
      if (!pause_or_park()) return false;
    }
    if (stretch_ < longest_stretch) stretch_ *= 2;
    return true;
  }

private:
  static constexpr std::uint32_t longest_stretch = 32;
  std::uint32_t left_ = Policy::spins();
  std::uint32_t stretch_ = 1;
};

template <>
class spinner<spin> {
public:
  void pause() noexcept { cpu_relax(); }
  bool pause_or_park() noexcept {
    cpu_relax();
    return true;
  }
  bool back_off_or_park() noexcept {
    for (std::uint32_t i = 0; i < stretch_; ++i) cpu_relax();
    if (stretch_ < longest_stretch) stretch_ *= 2;
    return true;
  }

private:
  static constexpr std::uint32_t longest_stretch = 32;
  std::uint32_t stretch_ = 1;
};

}  // namespace hemlock::waiting
