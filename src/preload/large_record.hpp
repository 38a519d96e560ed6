// A record per thread that is too large for the thread-local storage of a preloaded library, which every thread's
// stack pays for: from pages of our own at the thread's first lock, reused when it ends.
#pragma once

#include <cstddef>

#include "preload/thread_end.hpp"

namespace hemlock::preload::large_record {

inline constexpr std::size_t most_bytes = 64 * 1024;
inline constinit thread_local void* mine = nullptr;

/// Zeroed, or as its last thread left it: a lock leaves its records empty. Aligned to a page.
void* take() noexcept;
void give(void* record) noexcept;
/// In a child of fork(): what other threads had is forgotten.
void start_anew() noexcept;

inline void give_back() noexcept {
  void* const record = mine;
  mine = nullptr;  // a lock used later in the thread's end takes another
  if (record != nullptr) give(record);
}

[[gnu::cold, gnu::noinline]] inline void* take_for_this_thread() noexcept {
  mine = take();
  thread_end::run(give_back);
  return mine;
}

[[gnu::always_inline]] inline void* of_this_thread() noexcept {
  void* const record = mine;
  return record != nullptr ? record : take_for_this_thread();
}

}  // namespace hemlock::preload::large_record
