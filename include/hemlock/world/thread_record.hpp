// Where this thread's record of a kind lives: in thread-local storage, once per thread and program.
//
// A header-only program has the record in its own image. A program of several shared objects must have one
// that all of them agree on, else one object's lock waits on a record that the other's unlock never writes:
// compile with HEMLOCK_SHARED_RECORDS and link libhemlock.so, which then owns the records of all registered
// locks (CMake: link hemlock::hemlock instead of hemlock::headers).
#pragma once

#include <type_traits>

namespace hemlock {

#if defined(HEMLOCK_SHARED_RECORDS)

template <class Record>
struct [[gnu::visibility("default")]] thread_record {
  static constinit thread_local Record value;  // defined in libhemlock.so
};

#else

template <class Record>
struct [[gnu::visibility("default")]] thread_record {
  static inline constinit thread_local Record value{};
};

#endif

/// Constant-initialised and trivially destructible, so that reaching it is one instruction, without a guard
/// and without a call. What must be done at a thread's end is registered apart, by at_thread_exit.
template <class Record>
concept plain_record = std::is_trivially_destructible_v<Record>;

template <plain_record Record>
[[gnu::always_inline]] inline Record& this_thread() noexcept {
  return thread_record<Record>::value;
}

namespace detail {

template <class Record>
struct exit_action {
  void (*run)(Record&) = nullptr;
  ~exit_action() {
    if (run != nullptr) run(this_thread<Record>());
  }
};

}  // namespace detail

/// Runs `action` on this thread's record when the thread ends. Calling it again replaces the action.
template <plain_record Record>
[[gnu::cold, gnu::noinline]] void at_thread_exit(void (*action)(Record&)) {
  static thread_local detail::exit_action<Record> registered;
  registered.run = action;
}

}  // namespace hemlock
