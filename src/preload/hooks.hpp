// Where a recorder is told what happens to mutexes. Nothing here unless the library is built with one: then
// HEMLOCK_PRELOAD_HOOKS names a header that has these names with a body (libhemlock-preload-profile.so).
#pragma once

#if defined(HEMLOCK_PRELOAD_HOOKS)
#include HEMLOCK_PRELOAD_HOOKS

namespace hemlock::preload::hooks {
/// Whether every call must go through a hooked engine: the short ways of mutex.cpp would go past it.
inline constexpr bool has_recorder = true;
}  // namespace hemlock::preload::hooks
#else

#include <stdlib.h>

#include <cstdint>

#include "preload/engine.hpp"
#include "preload/layout.hpp"
#include "preload/message.hpp"

namespace hemlock::preload {

/// `Engine` as the program's calls reach it.
template <class Engine>
using hooked = Engine;

namespace hooks {

inline constexpr bool has_recorder = false;

/// Around a wait on a condition variable; the second with the mutex held.
constexpr std::uint64_t condition_wait_begins() noexcept {
  return 0;
}
constexpr void condition_wait_ended(mutex_body&, std::uint64_t) noexcept {
}
/// Once, when the lock is chosen; null: all locks are glibc's.
inline void chosen(const engine*) noexcept {
  if (const char* const file = ::secure_getenv("HEMLOCK_PROFILE"); file != nullptr && *file != '\0')
    say("HEMLOCK_PROFILE: this library does not record; preload libhemlock-preload-profile.so, or use "
        "hemlock profile");
}
constexpr void in_the_child() noexcept {
}
constexpr void at_the_end() noexcept {
}

}  // namespace hooks

}  // namespace hemlock::preload

#endif
