// What a stack knows of a mutex that lies in no variable: pointers to the object around it.
#pragma once

#include <cstdint>

#include "profile/format.hpp"

namespace hemlock::profile::record {

/// Looks through the frames of this thread for pointers into the memory just before the mutex; the place of what was
/// found, 0 for nothing or no room. Walks the stack: once per new mutex.
[[gnu::noinline]] place take_clues(place lock, std::uintptr_t address) noexcept;
/// In a child of fork.
void forget_clues() noexcept;

}  // namespace hemlock::profile::record
