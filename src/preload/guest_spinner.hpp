// How a thread waits, by the policy `auto`, for a lock that does not know how to park.
//
// A program that we are a guest in may have any number of threads, on a machine that may have other work to do. As long
// as offering the CPU gives it back soon, that is the best a waiter can do. But where a stranger takes a whole time
// slice each time, a FIFO lock would hand over once per slice: then waiters take short naps, from which the kernel
// wakes them before threads that never sleep (ticket, 4 threads and a busy loop on one CPU: about 100 acquisitions a
// second with yields, thousands with naps). A nap now and then also lets a thread run that a waiter of higher real-time priority
// would keep from the CPU for ever.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "hemlock/platform/cpu_relax.hpp"
#include "hemlock/platform/spin_bound.hpp"
#include "hemlock/world/waiting.hpp"
#include "preload/nap.hpp"

namespace hemlock::preload {

template <class Wait>
struct guest_spinner_of {
  using type = waiting::spinner<Wait>;
};

class patient_spinner {
public:
  void pause() noexcept {
    if (left_ > 0) {
      --left_;
      cpu_relax();
    } else {
      give_way();
    }
  }
  bool pause_or_park() noexcept {
    if (left_ == 0) return false;
    --left_;
    cpu_relax();
    return true;
  }
  bool back_off_or_park() noexcept {
    for (std::uint32_t i = 0; i < stretch_; ++i)
      if (!pause_or_park()) return false;
    if (stretch_ < longest_stretch) stretch_ *= 2;
    return true;
  }

private:
  static constexpr std::uint64_t slice_nanoseconds = 500'000;  ///< longer than our own threads' looks take
  static constexpr std::uint32_t yields_between_naps = 1024;
  static constexpr std::uint32_t longest_stretch = 32;

  static constexpr std::uint32_t naps_before_next_try = 1000;

  /// How many naps to take before offering the CPU again. All threads' experience, since the next wait is mostly
  /// another's. A guess: a decrement that is lost costs nothing.
  static inline constinit std::atomic<std::uint32_t> naps_{0};

  [[gnu::cold, gnu::noinline]] void give_way() noexcept {
    if (const std::uint32_t left = naps_.load(std::memory_order_relaxed); left > 0) {
      naps_.store(left - 1, std::memory_order_relaxed);
      return napper::one_nap();
    }
    if (++yields_ % yields_between_naps == 0) return napper::one_nap();
    const std::uint64_t before = monotonic_nanoseconds();
    ::sched_yield();
    if (monotonic_nanoseconds() - before > slice_nanoseconds)
      naps_.store(naps_before_next_try, std::memory_order_relaxed);
  }

  std::uint32_t left_ = waiting::automatic::spins();
  std::uint32_t stretch_ = 1;
  std::uint32_t yields_ = 0;
};

template <>
struct guest_spinner_of<waiting::automatic> {
  using type = patient_spinner;
};

}  // namespace hemlock::preload
