// The three phases of a run, as all its threads see them.
#pragma once

#include <atomic>

#include "hemlock/platform/cache_line.hpp"

namespace hemlock::bench {

enum class phase : int { warming, measuring, over };

/// Written by whoever conducts the run, read by every worker once per step, so it has its lines to itself.
/// Nothing is published through it: results are read after the workers were joined.
class alignas(false_sharing_bytes) phase_board {
public:
  phase now() const noexcept { return now_.load(std::memory_order_relaxed); }
  void set(phase next) noexcept { now_.store(next, std::memory_order_relaxed); }

private:
  std::atomic<phase> now_{phase::warming};
};

}  // namespace hemlock::bench
