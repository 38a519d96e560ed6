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
  std::string_view name;           ///< as users type it
  std::string_view summary;        ///< one line
  std::string_view source;         ///< where it is described
  std::string_view doorstep = "";  ///< fifo: the label of the operation that fixes a thread's place
  std::string_view hand_over =
      "";  ///< the label of the operation by which a contended unlock passes the lock on
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
constexpr std::size_t payload_bytes() {
  if constexpr (requires { T::payload_bytes; })
    return T::payload_bytes;
  else
    return bytes_of<T>;
}

template <class Lock>
concept has_try_lock = requires(Lock& lock) {
  { lock.try_lock() } -> std::same_as<bool>;
}
|| requires(Lock& lock, typename Lock::context& context) {
  { lock.try_lock(context) } -> std::same_as<bool>;
};

/// The whole row of `hemlock list`: what is stated, and what follows from the types.
struct lock_facts : lock_traits {
  std::size_t bytes_per_lock;       ///< the lock body
  std::size_t bytes_per_free_lock;  ///< further memory that even a free lock owns (CLH's dummy)
  std::size_t bytes_per_thread;
  std::size_t
      bytes_of_thread_cache;  ///< kept per thread to spare allocations; the algorithm could do without
  std::size_t bytes_per_held_lock;
  std::size_t bytes_per_waiter;
  std::size_t words_per_thread;   ///< without padding, in pointers
  std::size_t words_per_element;  ///< likewise, of one queue element
  bool trivially_destructible;
  bool constant_initialised;
  bool try_lock;
};

/// Whether `constinit Lock` is accepted. The union keeps the destructor out of the question.
template <class Lock>
concept constant_initialised = requires {
  []() consteval {
    union storage {
      char nothing_yet;
      Lock lock;
      constexpr storage() : lock() {}
      constexpr ~storage() {}
    } made;
    (void)made;
    return true;
  }
  ();
};

/// A lock names `per_thread`, `per_held_lock`, `per_waiter`, `per_free_lock`: the types it keeps there; and
/// `context`, what a holder must carry from lock to unlock.
template <class Lock>
constexpr lock_facts facts_of() {
  using element = std::conditional_t<std::is_same_v<typename Lock::per_waiter, nothing>,
                                     typename Lock::per_held_lock, typename Lock::per_waiter>;
  return {Lock::traits,
          sizeof(Lock),
          bytes_of<typename Lock::per_free_lock>,
          bytes_of<typename Lock::per_thread>,
          bytes_of<typename Lock::per_thread_cache>,
          bytes_of<typename Lock::per_held_lock>,
          bytes_of<typename Lock::per_waiter>,
          payload_bytes<typename Lock::per_thread>() / sizeof(void*),
          payload_bytes<element>() / sizeof(void*),
          std::is_trivially_destructible_v<Lock>,
          constant_initialised<Lock>,
          has_try_lock<Lock>};
}

}  // namespace hemlock
