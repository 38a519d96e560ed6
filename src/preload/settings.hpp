// What the environment asks for, read once, when the first mutex is used or the library starts.
#pragma once

#include <atomic>
#include <cstdint>

#include "preload/engine.hpp"

namespace hemlock::preload {

/// The bits lie outside those of pthread_mutex_t::__kind, so one test finds the plain case: a normal mutex and the
/// default lock.
enum mode : std::uint32_t {
  default_mode = 0,
  undecided_mode = 1U << 16,  ///< the environment was not read yet
  engine_mode = 1U << 17,     ///< the lock is reached through chosen_engine
  glibc_mode = 1U << 18,      ///< every mutex and condition variable is passed on
  careful_mode = 1U << 19,    ///< the default lock, in a child of a multi-threaded process
};

inline constinit std::atomic<std::uint32_t> current_mode{undecided_mode};
inline constinit std::atomic<const engine*> chosen_engine{nullptr};

/// Reads the environment if nobody did. Any thread, any time; the answer is the same.
std::uint32_t decide_mode() noexcept;

inline std::uint32_t mode_now() noexcept {
  const std::uint32_t mode = current_mode.load(std::memory_order_acquire);  // with decide_mode's release
  return mode == undecided_mode ? decide_mode() : mode;
}

}  // namespace hemlock::preload
