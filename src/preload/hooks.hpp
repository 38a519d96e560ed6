// Where a recorder is told what happens to mutexes. Nothing here unless the library is built with one: then
// HEMLOCK_PRELOAD_HOOKS names a header that has these names with a body (libhemlock-preload-profile.so).
#pragma once

#if defined(HEMLOCK_PRELOAD_HOOKS)
#include HEMLOCK_PRELOAD_HOOKS
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

/// Every call on a mutex goes through hooked<>.
inline constexpr bool recording = false;
/// After an acquisition that did not wait; before a release. False: it is not simple, and was not recorded.
constexpr void acquired(mutex_body&) noexcept {
}
constexpr bool acquired_simply(mutex_body&) noexcept {
  return true;
}
constexpr bool releasing_simply(mutex_body&) noexcept {
  return true;
}

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
