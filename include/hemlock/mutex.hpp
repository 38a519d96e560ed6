// hemlock::mutex: a mutex of eight bytes for use instead of std::mutex. locks/mutex.hpp tells how it works,
// docs/mutexes.md what to expect of it.
//
// Differences from std::mutex: one word, zero when free; whoever is first in the queue is overtaken for some tenths
// of a millisecond at most; lock and unlock may be done by different threads in a release build, though a debug build
// (HEMLOCK_DEBUG) reports it as a mistake, as it does locking twice, unlocking what is not held and destroying
// what is; try_lock never fails spuriously; try_lock_for and try_lock_until are there too.
#pragma once

#include <type_traits>

#include "locks/mutex.hpp"
#include "world/native.hpp"

namespace hemlock {

using mutex = basic_mutex<native<waiting::automatic>>;

static_assert(sizeof(mutex) == sizeof(void*) && alignof(mutex) == alignof(void*));
static_assert(std::is_standard_layout_v<mutex>);
static_assert(std::is_trivially_destructible_v<mutex> || checks::by_default::enabled);
static_assert(constant_initialised<mutex>);

}  // namespace hemlock
