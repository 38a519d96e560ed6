// The lock behind hemlock::recursive_mutex: a mutex, who holds it, and how often.
//
// Words
//   Owner   null, or the identity of the thread that holds the mutex: written by the holder only
//   Depth   how often the holder has locked it again: touched by the holder only
//
// Invariants
//   I1  Owner is a thread's identity only while that thread holds the mutex. So a thread that reads its own
//       identity holds it, and one that reads anything else, however old, does not.
//
// Orders: Owner is relaxed throughout, for a thread only needs to recognise its own writes; the mutex orders the rest.
//
// Promises: as the mutex. unlock touches the lock last by the mutex's unlock. The identity is the address of a
// thread's record, so a program of many shared objects needs what thread_record.hpp says.
#pragma once

#include <chrono>
#include <cstdint>

#include "../platform/thread_safety.hpp"
#include "../world/order.hpp"
#include "mutex.hpp"

namespace hemlock {

/// Its address tells threads apart.
struct thread_identity {
  char unused;
};

template <class World>
class HEMLOCK_CAPABILITY("mutex") basic_recursive_mutex {
public:
  using world_type = World;

  constexpr basic_recursive_mutex() noexcept = default;
  basic_recursive_mutex(const basic_recursive_mutex&) = delete;
  basic_recursive_mutex& operator=(const basic_recursive_mutex&) = delete;

  void lock() HEMLOCK_ACQUIRE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if (locked_again()) return;
    mutex_.lock();
    owner_.store(self(), order::relaxed<"own">);
  }

  [[nodiscard]] bool try_lock() HEMLOCK_TRY_ACQUIRE(true) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    return locked_again() || owned_if(mutex_.try_lock());
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& point)
      HEMLOCK_TRY_ACQUIRE(true) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    return locked_again() || owned_if(mutex_.try_lock_until(point));
  }
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& span)
      HEMLOCK_TRY_ACQUIRE(true) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    return locked_again() || owned_if(mutex_.try_lock_for(span));
  }

  void unlock() HEMLOCK_RELEASE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    if (World::checks::enabled && owner_.load(order::relaxed<"recognise">) != self())
      return mutex_.unlock();  // which says what is wrong, and aborts
    if (depth_ > 0) {
      depth_ = depth_ - 1;
      return;
    }
    owner_.store(nullptr, order::relaxed<"disown">);  // I1
    mutex_.unlock();
  }

private:
  static const thread_identity* self() noexcept { return &World::template self<thread_identity>(); }

  bool locked_again() noexcept {
    if (owner_.load(order::relaxed<"recognise">) != self()) return false;
    depth_ = depth_ + 1;
    return true;
  }
  bool owned_if(bool taken) noexcept {
    if (taken) owner_.store(self(), order::relaxed<"own">);
    return taken;
  }

  basic_mutex<World> mutex_;
  typename World::template atomic<const thread_identity*> owner_{nullptr};
  typename World::template plain<std::uint64_t> depth_{0};
};

}  // namespace hemlock
