// hemlock::fifo_mutex: strict first-come-first-served in eight bytes. locks/fifo.hpp tells how it works.
//
// Choose it when the order of admission is part of what your program promises, and hemlock::mutex otherwise:
// with more threads than CPUs, FIFO makes running threads wait for sleeping ones. docs/mutexes.md has figures.
#pragma once

#include <type_traits>

#include "locks/fifo.hpp"
#include "world/native.hpp"

namespace hemlock {

using fifo_mutex = basic_fifo_mutex<native<waiting::automatic>>;

static_assert(sizeof(fifo_mutex) == sizeof(void*) && alignof(fifo_mutex) == alignof(void*));
static_assert(std::is_trivially_destructible_v<fifo_mutex> || checks::by_default::enabled);
static_assert(constant_initialised<fifo_mutex>);

}  // namespace hemlock
