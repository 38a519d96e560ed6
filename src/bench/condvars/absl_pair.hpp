// absl::Mutex with absl::CondVar.
#pragma once

#include <absl/synchronization/mutex.h>

#include <string_view>

#include "hemlock/platform/thread_safety.hpp"

namespace hemlock::bench::condvars {

struct absl_pair {
  static constexpr std::string_view name = "absl";
  using mutex = absl::Mutex;
  using condition = absl::CondVar;

  static void lock(mutex& m) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { m.Lock(); }
  static void unlock(mutex& m) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { m.Unlock(); }
  static void wait(condition& c, mutex& m) { c.Wait(&m); }
  static void notify_one(condition& c) { c.Signal(); }
  static void notify_all(condition& c) { c.SignalAll(); }
};

}  // namespace hemlock::bench::condvars
