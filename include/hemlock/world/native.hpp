// The World that ships: the machine itself.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "../platform/deadline.hpp"
#include "../platform/futex.hpp"
#include "../platform/spin_bound.hpp"
#include "checks.hpp"
#include "concept.hpp"
#include "thread_record.hpp"
#include "waiting.hpp"

namespace hemlock {

/// A mutex and a condition variable of the platform's. All-zero is a good initial state for both in glibc and
/// musl, which is what makes a record with a monitor constant-initialised.
class platform_monitor {
public:
  void lock() noexcept { ::pthread_mutex_lock(&mutex_); }
  void unlock() noexcept { ::pthread_mutex_unlock(&mutex_); }
  void wait() noexcept { ::pthread_cond_wait(&changed_, &mutex_); }
  void notify_all() noexcept { ::pthread_cond_broadcast(&changed_); }

private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
};

class monotonic_patience {
public:
  static constexpr unsigned unlocks_per_look = 32;
  mood look(const patience_limits& limits) noexcept {
    const std::uint64_t now = monotonic_nanoseconds();
    if (exhausted_at_ == 0) {
      impatient_at_ = now + limits.impatient_after;
      exhausted_at_ = now + limits.exhausted_after;
    }
    if (now >= exhausted_at_) return mood::exhausted;
    if (now < impatient_at_) return mood::patient;
    impatient_at_ = now + limits.impatient_again_after;
    return mood::impatient;
  }

private:
  std::uint64_t impatient_at_ = 0;
  std::uint64_t exhausted_at_ = 0;
};

/// `Checks` is a parameter so that a debug and a release build of the same lock are different types: mixing
/// them in one program fails to link instead of misbehaving.
template <class Wait, class Checks = checks::by_default>
struct native {
  using wait_policy = Wait;
  using checks = Checks;
  using spinner = waiting::spinner<Wait>;
  using monitor = platform_monitor;
  using patience = monotonic_patience;
  using deadline = hemlock::deadline;
  template <class T>
  using atomic = std::atomic<T>;
  template <class T>
  using plain = T;

  static constexpr bool may_park = Wait::may_park;
  static constexpr bool must_park = Wait::must_park;

  template <class Record>
  [[gnu::always_inline]] static Record& self() noexcept {
    return this_thread<Record>();
  }
  template <auto Action, class Record>
  static void at_thread_exit() {
    hemlock::at_thread_exit<Action, Record>();
  }

  template <class T>
  static void park(const atomic<T>& word, T expected) noexcept {
    futex_wait(futex_address(word), futex_value(expected));
  }
  template <class T>
  static bool park_until(const atomic<T>& word, T expected, const deadline& limit) noexcept {
    return futex_wait(futex_address(word), futex_value(expected), &limit.when, limit.realtime) != ETIMEDOUT;
  }
  static bool passed(const deadline& limit) noexcept { return limit.passed(); }
  static void give_way() noexcept { ::sched_yield(); }
  template <class T>
  static void unpark_one(const atomic<T>* word) noexcept {
    futex_wake(futex_address(*word), 1);
  }
  template <class T>
  static void unpark_all(const atomic<T>* word) noexcept {
    futex_wake(futex_address(*word), INT_MAX);
  }

  template <class T, class... Arguments>
  static T* create(Arguments&&... arguments) {
    return new T(std::forward<Arguments>(arguments)...);
  }
  template <class T>
  static void destroy(T* object) noexcept {
    delete object;
  }

  template <class Condition>
  static void expect([[maybe_unused]] Condition condition) noexcept {
    if constexpr (Checks::enabled) {
      if (!condition()) {
        std::fprintf(stderr, "hemlock: an invariant of a lock does not hold: %s\n", __PRETTY_FUNCTION__);
        std::abort();
      }
    }
  }
};

static_assert(timed_world<native<waiting::spin>> && timed_world<native<waiting::yield>> &&
              timed_world<native<waiting::park>> && timed_world<native<waiting::automatic>>);

}  // namespace hemlock
