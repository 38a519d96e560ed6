// The public face that every algorithm gets: lock, try_lock and unlock as the standard library's guards want
// them, with debug checks, ThreadSanitizer's and clang's annotations around the bare algorithm.
//
// An algorithm supplies acquire(), release() and, if it can, try_acquire(); try_lock exists exactly if
// try_acquire does, so a lock that cannot try is refused by the compiler. An algorithm that must carry
// something from lock to unlock takes it as an argument, and the standard guards are refused likewise;
// lock_handle.hpp then carries it.
#pragma once

#include <chrono>

#include "../platform/deadline.hpp"
#include "../platform/thread_safety.hpp"
#include "../platform/tsan.hpp"
#include "lock_traits.hpp"

namespace hemlock {

/// What an algorithm needs nothing of, unless it says otherwise.
struct needs_nothing {
  using per_thread = nothing;
  using per_held_lock = nothing;
  using per_waiter = nothing;
  using per_free_lock = nothing;
  using per_thread_cache = nothing;
  using context = nothing;
};

template <class Algorithm, class World>
class HEMLOCK_CAPABILITY("mutex") lock_facade : public needs_nothing, private World::checks::life {
public:
  using world_type = World;

  lock_facade(const lock_facade&) = delete;
  lock_facade& operator=(const lock_facade&) = delete;

  template <class A = Algorithm, class... Context>
    requires requires(A& bare, Context&... carried) {
      bare.acquire(carried...);
    }
  [[gnu::always_inline]] void lock(Context&... carried) HEMLOCK_ACQUIRE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    static_assert(policy_is_known(), "this lock cannot park: use spin, yield or automatic");
    World::checks::locking(this, Algorithm::traits.name);
    tsan::pre_lock(this);
    algorithm().acquire(carried...);
    tsan::post_lock(this);
    World::checks::locked(this, Algorithm::traits.name);
  }

  template <class A = Algorithm, class... Context>
    requires requires(A& bare, Context&... carried) {
      bare.try_acquire(carried...);
    }
  [[nodiscard]] bool try_lock(Context&... carried)
      HEMLOCK_TRY_ACQUIRE(true) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    static_assert(policy_is_known(), "this lock cannot park: use spin, yield or automatic");
    tsan::pre_try_lock(this);
    const bool taken = algorithm().try_acquire(carried...);
    tsan::post_try_lock(this, taken);
    if (taken) World::checks::locked(this, Algorithm::traits.name);
    return taken;
  }

  /// The timed forms exist exactly if the algorithm has try_acquire_until, and the World has real time.
  template <class Clock, class Duration, class A = Algorithm>
    requires requires(A& bare, const deadline& limit) {
      bare.try_acquire_until(limit);
    }
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& point)
      HEMLOCK_TRY_ACQUIRE(true) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if constexpr (requires { deadline::at(point); }) {
      return try_lock_within(deadline::at(point));
    } else {  // a clock the kernel does not know: its time is looked at again when its estimate is over
      do {
        if (try_lock_within(deadline::in(point - Clock::now()))) return true;
      } while (Clock::now() < point);
      return false;
    }
  }
  template <class Rep, class Period, class A = Algorithm>
    requires requires(A& bare, const deadline& limit) {
      bare.try_acquire_until(limit);
    }
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& span)
      HEMLOCK_TRY_ACQUIRE(true) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    return try_lock_within(deadline::in(span));
  }
  template <class A = Algorithm>
    requires requires(A& bare, const deadline& limit) {
      bare.try_acquire_until(limit);
    }
  [[nodiscard]] bool try_lock_within(const deadline& limit)
      HEMLOCK_TRY_ACQUIRE(true) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    static_assert(policy_is_known(), "this lock cannot park: use spin, yield or automatic");
    tsan::pre_try_lock(this);
    const bool taken = algorithm().try_acquire_until(limit);
    tsan::post_try_lock(this, taken);
    if (taken) World::checks::locked(this, Algorithm::traits.name);
    return taken;
  }

  template <class A = Algorithm, class... Context>
    requires requires(A& bare, Context&... carried) {
      bare.release(carried...);
    }
  [[gnu::always_inline]] void unlock(Context&... carried)
      HEMLOCK_RELEASE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    World::checks::unlocking(this, Algorithm::traits.name);
    tsan::pre_unlock(this);
    algorithm().release(carried...);
    tsan::post_unlock(this);
  }

protected:
  constexpr lock_facade() noexcept = default;
  ~lock_facade() = default;

private:
  Algorithm& algorithm() noexcept { return static_cast<Algorithm&>(*this); }

  static constexpr bool policy_is_known() {
    if constexpr (requires { World::must_park; })
      return !World::must_park || Algorithm::traits.parks;
    else
      return true;
  }
};

}  // namespace hemlock
