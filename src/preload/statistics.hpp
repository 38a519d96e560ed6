// HEMLOCK_STATS: what the library did in this process, told once when it ends. Costs nothing unless asked for:
// the locks are then reached through counted_engine, and the other places look at one flag in a slow path.
#pragma once

#include <atomic>
#include <cstdint>

#include "preload/engine.hpp"

namespace hemlock::preload::statistics {

enum counter : unsigned {
  locks_seen,  ///< mutexes locked for the first time since they were initialised
  acquisitions,
  contended,    ///< acquisitions that did not succeed at the first try
  parked,       ///< times a thread went to sleep for a mutex
  handed_over,  ///< contended acquisitions in which the lock came directly from the thread before
  cond_waits,
  cond_wakes,     ///< waiters called by signal or broadcast
  passed_robust,  ///< mutexes initialised that are glibc's, by the first of these that fits
  passed_inherits,
  passed_protects,
  passed_shared,
  passed_calls,  ///< lock and unlock calls on such mutexes
  counters
};

inline constinit std::atomic<bool> wanted{false};
void add(counter which) noexcept;
/// For slow paths of the uncounted code.
inline void note(counter which) noexcept {
  if (wanted.load(std::memory_order_relaxed)) [[unlikely]]
    add(which);
}

/// Counts around another engine.
const engine& counting(const engine& lock) noexcept;

/// `target`: "1" for a line on standard error, else a file to which a line of JSON is appended.
void start(const char* target) noexcept;
void start_anew() noexcept;
void report() noexcept;

}  // namespace hemlock::preload::statistics
