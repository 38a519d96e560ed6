// What a lock promises and what it costs, readable by the compiler.
#pragma once

#include <cstddef>
#include <mutex>
#include <string_view>
#include <type_traits>

#include "../platform/cache_line.hpp"

namespace hemlock {

/// What an algorithm states about itself. All else is computed, by lock_facts.
struct lock_traits {
  std::string_view name;     ///< as users type it
  std::string_view summary;  ///< one line
  std::string_view source;   ///< where it is described
  std::string_view doorstep = "";  ///< fifo: the label of the operation that fixes a thread's place
  bool fifo = false;
  bool prompt_destruction_safe = true;  ///< unlock never touches the lock after somebody else may hold it
  bool context_free = true;             ///< unlock needs nothing from lock: works with std::lock_guard
  bool serially_reusable = false;       ///< a signal handler may use other locks of this kind
  bool local_spinning = false;          ///< at most one thread waits on any word, whatever locks are held
  bool parks = false;                   ///< knows the `park` waiting policy
};

/// Stands for "nothing" where a lock names the object it needs per thread, held lock, waiter or free lock.
struct nothing {};

template <class T>
inline constexpr std::size_t bytes_of = std::is_same_v<T, nothing> ? 0 : sizeof(T);

/// As if the object were not padded: what the paper counts in words.
template <class T>
inline constexpr std::size_t payload_bytes_of = bytes_of<T>;
template <class T>
inline constexpr std::size_t payload_bytes_of<padded<T>> = sizeof(T);

template <class Lock>
concept has_try_lock = requires(Lock& lock) {
                         { lock.try_lock() } -> std::same_as<bool>;
                       };

/// The whole row of `hemlock list`: what is stated, and what follows from the types.
struct lock_facts : lock_traits {
  std::size_t bytes_per_lock;      ///< the lock body
  std::size_t bytes_per_free_lock;  ///< further memory that even a free lock owns (CLH's dummy)
  std::size_t bytes_per_thread;
  std::size_t bytes_per_held_lock;
  std::size_t bytes_per_waiter;
  std::size_t words_per_thread;  ///< without padding, in pointers
  std::size_t words_per_element;  ///< likewise, of one queue element
  bool trivially_destructible;
  bool constant_initialised;
  bool try_lock;
};

template <class Lock>
constexpr bool is_constant_initialised() {
  return requires { std::bool_constant<(Lock{}, true)>{}; };
}

/// A lock names `per_thread`, `per_held_lock`, `per_waiter`, `per_free_lock`: the types it keeps there.
template <class Lock>
constexpr lock_facts facts_of() {
  using element = std::conditional_t<std::is_same_v<typename Lock::per_waiter, nothing>, typename Lock::per_held_lock,
                                     typename Lock::per_waiter>;
  return {Lock::traits,
          sizeof(Lock),
          bytes_of<typename Lock::per_free_lock>,
          bytes_of<typename Lock::per_thread>,
          bytes_of<typename Lock::per_held_lock>,
          bytes_of<typename Lock::per_waiter>,
          payload_bytes_of<typename Lock::per_thread> / sizeof(void*),
          payload_bytes_of<element> / sizeof(void*),
          std::is_trivially_destructible_v<Lock>,
          is_constant_initialised<Lock>(),
          has_try_lock<Lock>};
}

}  // namespace hemlock
