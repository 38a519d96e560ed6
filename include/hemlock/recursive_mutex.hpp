// hemlock::recursive_mutex: hemlock::mutex, which its holder may lock again. Locking again touches no shared
// word that others write.
#pragma once

#include <type_traits>

#include "locks/recursive.hpp"
#include "world/native.hpp"

namespace hemlock {

using recursive_mutex = basic_recursive_mutex<native<waiting::automatic>>;

static_assert(std::is_trivially_destructible_v<recursive_mutex> || checks::by_default::enabled);
static_assert(constant_initialised<recursive_mutex>);

}  // namespace hemlock
