// Why a lock cannot live in a pthread_mutex_t. Asked by the library itself and by the tool, which says it beforehand.
#pragma once

#include <string_view>

#include "hemlock/locks/lock_traits.hpp"
#include "preload/layout.hpp"

namespace hemlock::preload {

/// Null if it can.
constexpr const char* objection(const lock_facts& lock) noexcept {
  if (!lock.prompt_destruction_safe)
    return "its unlock may look at the lock when the next holder has already destroyed it";
  if (!lock.context_free)
    return "its unlock needs what its lock kept, and pthread_mutex_unlock has no room for it";
  if (!lock.trivially_destructible)
    return "a lock that nobody holds owns memory, and std::mutex never calls pthread_mutex_destroy to give "
           "it back";
  if (!lock.constant_initialised) return "it must be constructed, and static initialisers do not do that";
  if (!lock.try_lock) return "it has no try_lock, so pthread_mutex_trylock would have nothing to call";
  if (lock.bytes_per_lock > sizeof(mutex_body::lock))
    return "it does not fit in a pthread_mutex_t beside what must be there";
  return nullptr;
}

/// Of a lock that exists, but not in a World that gives it no memory reclamation. Null if we know no such lock.
constexpr const char* objection(std::string_view name) noexcept {
  if (name == "hemlock-element")
    return "it needs memory reclamation, in which every thread of the program would have to take part; and "
           "its "
           "unlock may look at the lock when the next holder has already destroyed it";
  return nullptr;
}

}  // namespace hemlock::preload
