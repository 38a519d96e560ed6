// When recording begins: at the first lock of a process that HEMLOCK_PROFILE names a file for.
#pragma once

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

/// True when recording. The first to come begins; others go on unrecorded until it has.
template <class Prepare>
bool begin(Prepare prepare) noexcept {
  phase seen = current_phase.load(std::memory_order_acquire);  // with the release below: all is made
  if (seen == phase::recording) return mapped.limit.load(std::memory_order_relaxed) != 0;
  if (seen != phase::undecided ||
      !current_phase.compare_exchange_strong(seen, phase::beginning, std::memory_order_acquire))
    return seen == phase::recording;
  const bool done = prepare() && begin_file();
  current_phase.store(done ? phase::recording : phase::off, std::memory_order_release);
  return done;
}

/// In a child of fork.
void begin_anew() noexcept;

}  // namespace hemlock::profile::record
