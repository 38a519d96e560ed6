// The recorder's own lock, for what happens rarely and takes microseconds. Never an application's mutex, and
// never taken by a thread that is already inside the recorder.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace hemlock::profile::record {

class guard {
public:
  explicit guard(std::atomic<std::uint32_t>& word) noexcept : word_(word) {
    while (word_.exchange(1, std::memory_order_acquire) != 0) ::sched_yield();
  }
  ~guard() { word_.store(0, std::memory_order_release); }
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;

private:
  std::atomic<std::uint32_t>& word_;
};

}  // namespace hemlock::profile::record
