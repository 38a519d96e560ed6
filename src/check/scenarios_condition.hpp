// Programs around a condition variable and its mutex, in the same form as scenarios.hpp. Thread 0 notifies, the others wait.
#pragma once

#include <string>

#include "check/scenarios.hpp"
#include "hemlock/locks/condition.hpp"
#include "hemlock/locks/patience.hpp"

namespace hemlock::check {

enum class notifying : unsigned char {
  one,           ///< one by one, after the mutex is unlocked
  one_inside,    ///< one by one, with the mutex held
  all,           ///< all at once
  any,           ///< all at once, waiting with wait_any: no queue to move to
  one_or_never,  ///< one by one, and a wait may also end by its limit
  stop,          ///< by a stop that is asked for without the mutex
};

template <class World, notifying How>
class condition_waits {
  using mutex_type = basic_mutex<World>;

public:
  using world_type = World;

  explicit condition_waits(const shape& how) : how_(how) {}
  static int kind(const shape&, unsigned thread) { return thread == 0 ? 0 : 1; }
  [[nodiscard]] unsigned threads() const { return how_.threads; }

  void run(unsigned thread) {
    if (thread == 0)
      notify();
    else
      wait();
  }

  std::string finish() {
    const int left = items_;
    if (How == notifying::one || How == notifying::one_inside)
      return left == 0 ? "" : std::to_string(left) + " items were not taken";
    return "";
  }

private:
  void notify() {
    if constexpr (How == notifying::stop) {
      stop_.store(1, order::relaxed<"scenario-stop">);
      condition_.rouse_all();
      return;
    }
    const bool at_once = How == notifying::all || How == notifying::any;
    const int rounds = at_once ? 1 : static_cast<int>(how_.threads) - 1;
    for (int i = 0; i < rounds; ++i) {
      checkpoint<World>(4 * i);
      mutex_.lock();
      checkpoint<World>(4 * i + 1);
      items_ = items_ + (at_once ? static_cast<int>(how_.threads) - 1 : 1);
      if (How == notifying::one_inside) condition_.notify_one();
      checkpoint<World>(4 * i + 2);
      mutex_.unlock();
      checkpoint<World>(4 * i + 3);
      if (at_once)
        condition_.notify_all();
      else if (How != notifying::one_inside)
        condition_.notify_one();
    }
  }

  void wait() {
    const auto never = [] { return false; };
    mutex_.lock();
    checkpoint<World>(101);
    if constexpr (How == notifying::stop) {
      const auto stopped = [this] { return stop_.load(order::relaxed<"scenario-stop">) != 0; };
      while (!stopped()) condition_.wait(mutex_, no_limit{}, stopped);
    } else {
      bool in_time = true;
      while (in_time && items_ == 0) {
        if constexpr (How == notifying::any)
          condition_.wait_any(mutex_, no_limit{}, never);
        else if constexpr (How == notifying::one_or_never)
          in_time = wait_for_a_moment();
        else
          condition_.wait(mutex_, no_limit{}, never);
        checkpoint<World>(in_time ? 102 : 103);
      }
      if (items_ > 0) items_ = items_ - 1;
    }
    mutex_.unlock();
  }

  bool wait_for_a_moment() {
    const auto never = [] { return false; };
    if constexpr (requires { World::checks::gave_up(nullptr, 0); })
      return condition_.wait(mutex_, typename World::deadline{}, never);
    else
      return condition_.wait(mutex_, deadline::in(std::chrono::microseconds(20)), never);
  }

  mutex_type mutex_;
  basic_condition<World> condition_;
  typename World::template plain<int> items_{0};
  typename World::template atomic<int> stop_{0};
  shape how_;
};

}  // namespace hemlock::check
