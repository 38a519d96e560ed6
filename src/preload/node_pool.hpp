// Queue nodes for the locks that need some (mcs), from pages of our own: never from malloc, which may be the
// caller. A node given back is kept for the next taker; pages stay until the process ends.
#pragma once

#include <cstddef>

namespace hemlock::preload::node_pool {

inline constexpr std::size_t cell_bytes = 128;

void* take() noexcept;
void give(void* cell) noexcept;
/// In a child of fork(): the pool's owner at that moment may not exist here. What it had is forgotten.
void start_anew() noexcept;

}  // namespace hemlock::preload::node_pool
