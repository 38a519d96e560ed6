// Where this thread's record of a kind lives: in thread-local storage, once per thread and program.
//
// A header-only program has the record in its own image. A program of several shared objects must have one
// that all of them agree on, else one object's lock waits on a record that the other's unlock never writes:
// compile with HEMLOCK_SHARED_RECORDS and link libhemlock.so, which then owns the records of all registered
// locks (CMake: link hemlock::hemlock instead of hemlock::headers).
#pragma once

#include <cxxabi.h>

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

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"  // libhemlock.so has the definition
#endif
template <plain_record Record>
[[gnu::always_inline]] inline Record& this_thread() noexcept {
  return thread_record<Record>::value;
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

namespace detail {

extern "C" [[gnu::visibility("hidden")]] void* __dso_handle;

template <class Record, void (*Action)(Record&)>
void run_at_exit(void* record) {
  Action(*static_cast<Record*>(record));
}

}  // namespace detail

/// Runs `Action` once on this thread's record when the thread ends; an action that registers itself again
/// while the thread is ending runs again. Not a thread_local with a destructor: that would be dead, and deaf,
/// for locks that are used by the destructors of older thread-locals.
template <auto Action, plain_record Record>
[[gnu::cold, gnu::noinline]] void at_thread_exit() {
  abi::__cxa_thread_atexit(&detail::run_at_exit<Record, Action>, &this_thread<Record>(),
                           &detail::__dso_handle);
}

}  // namespace hemlock
