// The queue of the two mutexes: a ring of the waiting threads' records, each on its thread's stack.
//
// The lock word points to the first; the first's `previous` is the last. Every function here is called with
// the ring held (the lock word's `busy` bit), which is what makes plain links enough and lets a waiter whose
// time is up leave from the middle.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../platform/cache_line.hpp"
#include "patience.hpp"

namespace hemlock {

/// What a waiter's `state` says: see the tables of the locks that use it.
namespace waiter_state {
inline constexpr std::uint32_t waiting = 0;
inline constexpr std::uint32_t asleep = 1;    ///< parks on its state, or is about to; a bit of others
inline constexpr std::uint32_t looking = 2;   ///< is first, awake, and looks at the lock
inline constexpr std::uint32_t called = 4;    ///< is first and should look at the lock
inline constexpr std::uint32_t granting = 8;  ///< is on its way out of the ring, to be granted
inline constexpr std::uint32_t granted = 16;  ///< holds the lock; out of the ring
// Of a condition, before and after a notification:
inline constexpr std::uint32_t lingering = 32;  ///< in its ring, awake
inline constexpr std::uint32_t leaving = 64;    ///< of its own
inline constexpr std::uint32_t notified = 256;  ///< out of its ring; what follows comes at once
inline constexpr std::uint32_t moved = notified | asleep;
inline constexpr std::uint32_t released = 128;  ///< to lock for itself
}  // namespace waiter_state

/// More than a cache line, to leave bits of its address to the lock words.
inline constexpr std::size_t waiter_alignment = 4 * cache_line_bytes;

template <class World>
struct alignas(waiter_alignment) waiter {
  typename World::template atomic<std::uint32_t> state{waiter_state::waiting};
  typename World::template plain<waiter*> next{nullptr};
  typename World::template plain<waiter*> previous{nullptr};
  patience_in<World> patience;

  /// The first of an empty ring.
  void sit_alone() noexcept {
    next = this;
    previous = this;
  }

  /// Behind the last of the ring that begins with `first`.
  void sit_behind(waiter& first) noexcept {
    waiter* const last = first.previous;
    next = &first;
    previous = last;
    last->next = this;
    first.previous = this;
  }

  /// Out of the ring. The one who sat behind, who is first now if we were; null if we were alone.
  waiter* stand_up() noexcept {
    waiter* const behind = next;
    if (behind == this) return nullptr;
    waiter* const before = previous;
    before->next = behind;
    behind->previous = before;
    return behind;
  }
};

}  // namespace hemlock
