// One registered lock with one waiting policy, as four functions on the place where it lives.
#pragma once

#include "hemlock/platform/deadline.hpp"
#include "preload/layout.hpp"

namespace hemlock::preload {

struct engine {
  const char* lock;
  const char* wait;
  bool
      waits_are_hand_overs;  ///< every acquisition that waits is one: a FIFO lock that does not tell of them itself
  bool any_thread_unlocks;  ///< not only the one that locked
  void (*acquire)(mutex_body&) noexcept;
  bool (*try_acquire)(mutex_body&) noexcept;
  bool (*acquire_until)(mutex_body&, const deadline&) noexcept;  ///< false: the time came first
  void (*release)(mutex_body&) noexcept;
};

}  // namespace hemlock::preload
