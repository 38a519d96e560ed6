// hemlock::mutex with hemlock::condition_variable.
#pragma once

#include <mutex>
#include <string_view>

#include "hemlock/condition_variable.hpp"
#include "hemlock/mutex.hpp"
#include "hemlock/platform/thread_safety.hpp"

namespace hemlock::bench::condvars {

struct hemlock_pair {
  static constexpr std::string_view name = "hemlock";
  using mutex = hemlock::mutex;
  using condition = hemlock::condition_variable;

  static void lock(mutex& m) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { m.lock(); }
  static void unlock(mutex& m) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { m.unlock(); }
  static void wait(condition& c, mutex& m) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<mutex> held(m, std::adopt_lock);
    c.wait(held);
    held.release();
  }
  static void notify_one(condition& c) { c.notify_one(); }
  static void notify_all(condition& c) { c.notify_all(); }
};

}  // namespace hemlock::bench::condvars
