// When recording begins: at the first lock of a process that HEMLOCK_PROFILE names a file for.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "profile/record/file.hpp"

namespace hemlock::profile::record {

enum class phase : std::uint32_t { undecided, beginning, recording, off };
inline constinit std::atomic<phase> current_phase{phase::undecided};

/// Nanoseconds since the recorder's start, never 0.
std::uint64_t now() noexcept;

/// Reads the environment, makes the file. False: do not record.
bool begin_file() noexcept;

inline bool may_begin() noexcept {
  return current_phase.load(std::memory_order_relaxed) != phase::off;
}

/// This thread begins: what it locks meanwhile, in a signal handler perhaps, goes unrecorded.
inline constinit thread_local bool begins_here = false;

/// True when recording. The first to come begins; others wait until it has, so that their locks are counted, too.
template <class Prepare>
bool begin(Prepare prepare) noexcept {
  phase seen = current_phase.load(std::memory_order_acquire);  // with the release below: all is made
  if (seen == phase::undecided && !begins_here) {
    begins_here = true;
    if (current_phase.compare_exchange_strong(seen, phase::beginning, std::memory_order_acquire)) {
      seen = prepare() && begin_file() ? phase::recording : phase::off;
      current_phase.store(seen, std::memory_order_release);
    }
    begins_here = false;
  }
  while (seen == phase::beginning && !begins_here) {
    ::sched_yield();
    seen = current_phase.load(std::memory_order_acquire);
  }
  return seen == phase::recording && mapped.limit.load(std::memory_order_relaxed) != 0;
}

/// In a child of fork.
void begin_anew() noexcept;

}  // namespace hemlock::profile::record
