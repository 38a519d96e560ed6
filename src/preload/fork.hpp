// What a child of a multi-threaded process does with locks that it inherits.
//
// fork() copies every lock but only one thread. A lock that the forking thread holds, as in the usual
// pthread_atfork() pattern, may have a queue of waiters that do not exist in the child; with glibc the child
// unlocks it and goes on, so it must with us. Every process of a line of forks therefore has a generation, and
// every lock remembers in which generation its queue was last known to be real (`age`). A lock of an older
// generation is *stale*: before anybody queues there, its queue is dropped, by whoever holds it.
#pragma once

#include <atomic>
#include <cstdint>

#include "preload/layout.hpp"
#include "preload/word_lock.hpp"

namespace hemlock::preload {

/// Zero in every process that is not a forked child of one with our library, so a fresh lock is never stale there.
inline constinit std::atomic<std::uint32_t> fork_generation{0};
/// Held by whoever repairs a stale lock. In a stale lock nobody queues, and only under this guard does anybody try.
inline constinit std::atomic<std::uint32_t> repair_guard{0};

inline bool is_stale(const std::atomic<std::uint32_t>& age) noexcept {
  // Acquire, with the repairer's release: who sees a repaired age sees the repaired lock.
  return age.load(std::memory_order_acquire) != fork_generation.load(std::memory_order_relaxed);
}
inline void make_current(std::atomic<std::uint32_t>& age) noexcept {
  age.store(fork_generation.load(std::memory_order_relaxed), std::memory_order_release);
}

/// Makes the child of each fork() a new generation.
void follow_forks() noexcept;

}  // namespace hemlock::preload
