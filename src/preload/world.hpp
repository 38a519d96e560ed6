// The World of the preload library: the native one, as a guest in somebody else's process.
//
//   records        one small piece of initial-exec thread-local storage serves whatever lock was chosen: a process
//                  has one lock, and static TLS is taken from every thread's stack. A large record is elsewhere
//                  (large_record.hpp)
//   create         from a pool of our own (node_pool.hpp): the program's malloc may itself be what is locking
//   thread's end   a pthread key, whose destructor glibc runs without allocating
//   monitor        on futexes: the platform's would come back to us
//   park           is counted for HEMLOCK_STATS, and so is the store by which a mutex is handed over
//   spinner        guest_spinner.hpp
#pragma once

#include <climits>
#include <cstddef>
#include <new>
#include <utility>

#include "hemlock/platform/cache_line.hpp"
#include "hemlock/world/native.hpp"
#include "hemlock/world/order.hpp"
#include "preload/guest_spinner.hpp"
#include "preload/large_record.hpp"
#include "preload/node_pool.hpp"
#include "preload/statistics.hpp"
#include "preload/thread_end.hpp"
#include "preload/word_lock.hpp"

namespace hemlock::preload {

struct alignas(false_sharing_bytes) thread_slot {
  unsigned char bytes[false_sharing_bytes];
};
inline constinit thread_local thread_slot slot{};

template <class Record>
inline constexpr bool fits_slot = sizeof(Record) <= sizeof(thread_slot) &&
                                  alignof(Record) <= alignof(thread_slot);

/// A mutex and a condition variable. Whoever notifies has the mutex, so a change of `changes_` cannot be missed.
class futex_monitor {
public:
  void lock() noexcept { word_guard::lock(guard_); }
  void unlock() noexcept { word_guard::unlock(guard_); }
  void wait() noexcept {
    const std::uint32_t seen = changes_.load(std::memory_order_relaxed);
    unlock();
    statistics::note(statistics::parked);
    futex_wait(futex_address(changes_), seen);
    lock();
  }
  void notify_all() noexcept {
    changes_.store(changes_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    futex_wake(&changes_, INT_MAX);
  }

private:
  std::atomic<std::uint32_t> guard_{0};
  std::atomic<std::uint32_t> changes_{0};
};

/// std::atomic, but a store that bears the label under which `mutex` and `fifo` hand the lock over is counted. Which
/// store that is the compiler knows: the others are as they were.
template <class T>
class telling_atomic : public std::atomic<T> {
public:
  using std::atomic<T>::atomic;
  using std::atomic<T>::operator=;
  using std::atomic<T>::store;
  [[gnu::always_inline]] void store(T value, labelled_order how) noexcept {
    std::atomic<T>::store(value, how.order);
    if (how.label == order::release<"grant">.label) statistics::note(statistics::handed_over);
  }
};

template <class Wait>
struct guest_world : native<Wait, checks::none> {
  using base = native<Wait, checks::none>;
  using monitor = futex_monitor;
  using spinner = typename guest_spinner_of<Wait>::type;
  template <class T>
  using atomic = telling_atomic<T>;

  template <class Record>
  [[gnu::always_inline]] static Record& self() noexcept {
    if constexpr (fits_slot<Record>) {
      return *std::launder(reinterpret_cast<Record*>(slot.bytes));
    } else {
      static_assert(sizeof(Record) <= large_record::most_bytes);
      return *std::launder(static_cast<Record*>(large_record::of_this_thread()));
    }
  }
  template <auto Action, class Record>
  static void at_thread_exit() noexcept {
    thread_end::run([] { Action(self<Record>()); });
  }

  template <class T>
  static void park(const std::atomic<T>& word, T expected) noexcept {
    statistics::note(statistics::parked);
    base::park(word, expected);
  }
  template <class T, class Deadline>
  static bool park_until(const std::atomic<T>& word, T expected, const Deadline& limit) noexcept {
    statistics::note(statistics::parked);
    return base::park_until(word, expected, limit);
  }

  template <class T, class... Arguments>
  static T* create(Arguments&&... arguments) noexcept {
    static_assert(sizeof(T) <= node_pool::cell_bytes && alignof(T) <= node_pool::cell_bytes);
    return ::new (node_pool::take()) T(std::forward<Arguments>(arguments)...);
  }
  template <class T>
  static void destroy(T* object) noexcept {
    object->~T();
    node_pool::give(object);
  }
};

static_assert(world<guest_world<waiting::automatic>>);

}  // namespace hemlock::preload
