// hemlock::condition_variable, for std::unique_lock<hemlock::mutex>, and hemlock::condition_variable_any, for
// every lock. locks/condition.hpp tells how they work.
//
// Differences from std::condition_variable: eight bytes, constant-initialised and trivially destructible; no
// spurious wake-ups; threads are notified in the order in which they began to wait; notify_all wakes one thread
// after the other; stop tokens are understood by both kinds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "locks/condition.hpp"
#include "mutex.hpp"
#include "platform/deadline.hpp"

namespace hemlock {

namespace detail {

/// All the standard's forms of wait, from the one that the derived class has: wait_within(lock, limit, stopped),
/// which is false when the limit passed or the stop came.
template <class Derived>
class waiting_forms {
public:
  template <class Lock>
  void wait(Lock& lock) {
    derived().wait_within(lock, no_limit{}, never);
  }
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate satisfied) {
    while (!satisfied()) wait(lock);
  }
  template <class Lock, class Predicate>
  bool wait(Lock& lock, std::stop_token stop, Predicate satisfied) {
    return wait_stoppable(lock, std::move(stop), satisfied, [&](const auto& stopped) {
      derived().wait_within(lock, no_limit{}, stopped);
      return std::cv_status::no_timeout;
    });
  }

  template <class Lock, class Clock, class Duration>
  std::cv_status wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& point) {
    return until(lock, point, never);
  }
  template <class Lock, class Clock, class Duration, class Predicate>
  bool wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& point, Predicate satisfied) {
    while (!satisfied()) {
      if (until(lock, point, never) == std::cv_status::timeout) return satisfied();
    }
    return true;
  }
  template <class Lock, class Clock, class Duration, class Predicate>
  bool wait_until(Lock& lock, std::stop_token stop, const std::chrono::time_point<Clock, Duration>& point,
                  Predicate satisfied) {
    return wait_stoppable(lock, std::move(stop), satisfied,
                          [&](const auto& stopped) { return until(lock, point, stopped); });
  }

  template <class Lock, class Rep, class Period>
  std::cv_status wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& span) {
    const bool notified = derived().wait_within(lock, deadline::in(span), never);
    return notified ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Lock, class Rep, class Period, class Predicate>
  bool wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& span, Predicate satisfied) {
    const deadline limit = deadline::in(span);
    while (!satisfied()) {
      if (!derived().wait_within(lock, limit, never)) return satisfied();
    }
    return true;
  }
  template <class Lock, class Rep, class Period, class Predicate>
  bool wait_for(Lock& lock, std::stop_token stop, const std::chrono::duration<Rep, Period>& span,
                Predicate satisfied) {
    const deadline limit = deadline::in(span);
    return wait_stoppable(lock, std::move(stop), satisfied, [&](const auto& stopped) {
      return derived().wait_within(lock, limit, stopped) || !limit.passed() ? std::cv_status::no_timeout
                                                                            : std::cv_status::timeout;
    });
  }

private:
  static constexpr auto never = [] { return false; };

  Derived& derived() noexcept { return static_cast<Derived&>(*this); }

  template <class Lock, class Clock, class Duration, class Stopped>
  std::cv_status until(Lock& lock, const std::chrono::time_point<Clock, Duration>& point,
                       const Stopped& stopped) {
    bool notified;
    if constexpr (requires { deadline::at(point); })
      notified = derived().wait_within(lock, deadline::at(point), stopped);
    else
      notified = derived().wait_within(lock, deadline::in(point - Clock::now()), stopped);
    return notified || Clock::now() < point ? std::cv_status::no_timeout : std::cv_status::timeout;
  }

  template <class Lock, class Predicate, class Wait>
  bool wait_stoppable(Lock&, std::stop_token stop, Predicate& satisfied, const Wait& wait_once) {
    const std::stop_callback rouse(stop, [this] { derived().rouse_all(); });
    const auto stopped = [&] { return stop.stop_requested(); };
    while (!stopped()) {
      if (satisfied()) return true;
      if (wait_once(stopped) == std::cv_status::timeout) break;
    }
    return satisfied();
  }
};

}  // namespace detail

class condition_variable : public detail::waiting_forms<condition_variable> {
public:
  constexpr condition_variable() noexcept = default;
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

private:
  friend detail::waiting_forms<condition_variable>;
  template <class Limit, class Stopped>
  bool wait_within(std::unique_lock<mutex>& lock, const Limit& limit, const Stopped& stopped) {
    return condition_.wait(*lock.mutex(), limit, stopped);
  }
  void rouse_all() noexcept { condition_.rouse_all(); }

  basic_condition<mutex::world_type> condition_;
};

class condition_variable_any : public detail::waiting_forms<condition_variable_any> {
public:
  constexpr condition_variable_any() noexcept = default;
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

private:
  friend detail::waiting_forms<condition_variable_any>;
  template <class Lock, class Limit, class Stopped>
  bool wait_within(Lock& lock, const Limit& limit, const Stopped& stopped) {
    return condition_.wait_any(lock, limit, stopped);
  }
  void rouse_all() noexcept { condition_.rouse_all(); }

  basic_condition<mutex::world_type> condition_;
};

static_assert(sizeof(condition_variable) <= 16 && sizeof(condition_variable_any) <= 16);
static_assert(std::is_trivially_destructible_v<condition_variable> &&
              constant_initialised<condition_variable>);

}  // namespace hemlock
