// What the tests of the two mutexes share.
#pragma once

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "hemlock/fifo_mutex.hpp"
#include "hemlock/mutex.hpp"

namespace hemlock::testing {

using both_mutexes = ::testing::Types<mutex, fifo_mutex>;

/// The lock's word, as a debugger sees it.
template <class Mutex>
std::uintptr_t word_of(const Mutex& lock) {
  std::uintptr_t word;
  std::memcpy(&word, static_cast<const void*>(&lock), sizeof word);
  return word;
}

inline constexpr std::uintptr_t free_word = 0;
inline constexpr std::uintptr_t held_word = 1;

/// A thread that others can watch going to sleep.
class watched_thread {
public:
  template <class Function>
  explicit watched_thread(Function function)
      : thread_([this, function] {
          id_.store(static_cast<int>(::syscall(SYS_gettid)), std::memory_order_release);
          function();
        }) {}
  void join() { thread_.join(); }

  /// Returns once the kernel says that the thread sleeps, so has nothing left to do but wait; or that it is gone.
  void await_sleep() const {
    int id = 0;
    while ((id = id_.load(std::memory_order_acquire)) == 0) std::this_thread::yield();
    const std::string path = "/proc/self/task/" + std::to_string(id) + "/stat";
    for (int in_a_row = 0; in_a_row < 3;) {  // a page fault is a short sleep, too
      const char now = state(path);
      if (now == gone) return;
      in_a_row = now == 'S' ? in_a_row + 1 : 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

private:
  static constexpr char gone = '?';
  static char state(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "r");
    if (file == nullptr) return gone;
    char text[256] = {};
    const std::size_t size = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    const char* const name_end = std::strrchr(text, ')');
    return size > 0 && name_end != nullptr ? name_end[2] : gone;
  }

  std::atomic<int> id_{0};
  std::thread thread_;  // last: it uses what stands above
};

}  // namespace hemlock::testing
