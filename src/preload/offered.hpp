// Which locks of the registry the library offers, and why not the others.
#pragma once

#include <cstddef>
#include <string_view>

#include "preload/engine.hpp"

namespace hemlock::preload {

/// `lock` null: not offered, and `reason` says why. `lock` set and `reason` set: the waiting policy was replaced.
struct choice {
  const engine* lock = nullptr;
  const char* reason = nullptr;
};

/// By the names users type. An unknown waiting policy is the caller's business: `wait` is a known one.
choice choose(std::string_view lock, std::string_view wait) noexcept;

bool is_waiting_policy(std::string_view name) noexcept;

/// The names of the offered locks, separated by spaces.
std::size_t list_offered(char* text, std::size_t size) noexcept;

}  // namespace hemlock::preload
