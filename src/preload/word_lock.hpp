// The lock that guards a list for a few instructions at a time: four bytes, zero when free. 1 is held, 2 is held
// and somebody may sleep on it. Unlocking touches the word once and never after.
#pragma once

#include <atomic>
#include <cstdint>

#include "hemlock/platform/cpu_relax.hpp"
#include "hemlock/platform/futex.hpp"

namespace hemlock::preload {

class word_guard {
public:
  using word_type = std::atomic<std::uint32_t>;

  explicit word_guard(word_type& word) noexcept : word_(word) { lock(word_); }
  ~word_guard() { unlock(word_); }
  word_guard(const word_guard&) = delete;
  word_guard& operator=(const word_guard&) = delete;

  static void lock(word_type& word) noexcept {
    if (!try_lock(word)) [[unlikely]]
      wait(word);
  }
  static void unlock(word_type& word) noexcept {
    if (word.exchange(0, std::memory_order_release) == 2) [[unlikely]]
      futex_wake(&word, 1);
  }

private:
  static bool try_lock(word_type& word) noexcept {
    std::uint32_t free = 0;
    return word.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed);
  }

  [[gnu::noinline, gnu::cold]] static void wait(word_type& word) noexcept {
    for (int look = 0; look < 64; ++look) {
      cpu_relax();
      if (word.load(std::memory_order_relaxed) == 0 && try_lock(word)) return;
    }
    while (word.exchange(2, std::memory_order_acquire) != 0) futex_wait(futex_address(word), 2);
  }

  word_type& word_;
};

}  // namespace hemlock::preload
