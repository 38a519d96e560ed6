// How much memory this process has in use, and how much it could still get.
#pragma once

#include <cstddef>

namespace hemlock::bench {

/// After giving what was freed back to the system, so that two readings can be compared.
std::size_t resident_bytes();

/// What the machine has available now; 0 if it does not say.
std::size_t available_bytes();

}  // namespace hemlock::bench
