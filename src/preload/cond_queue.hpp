// The waiters of one condition variable, in order of arrival; each waits on a word on its own stack.
//
// Words
//   state of a waiter
//     waiting   in the list, awake
//     asleep    in the list, sleeps on this word or is about to
//     leaving   in the list, gives up (time is over, cancelled) and will take itself out; nobody may call it
//     called    by a signal; in the condition variable's second list until it departs
//     promised  by a broadcast; out of the list and of the condition variable; its turn comes when the waiter
//               before it has the mutex. promised_asleep: likewise, and it sleeps
//     released  its turn has come
//
// Invariants
//   Q1  Only with `guard` held are the list and its links changed, and is a waiter's state taken from waiting or
//       asleep to called or promised.
//   Q2  A waiter leaves the list exactly once: a signal or a broadcast takes it out, or it takes itself out after it
//       has set `leaving`. So a signal is never spent on a waiter that gives up, and a later waiter, which is
//       behind, never takes the signal of an earlier one.
//   Q3  A waiter that is released, or was promised, never looks at the condition variable again: it may be gone.
//       One that is called does so until it departs, for which it takes `guard` and destroy waits: a waiter that
//       is cancelled after it was called must be able to pass the call on.
//   Q4  A caller reads all it needs of a waiter before it writes released, or leaves the guard under which it wrote
//       called: after that the waiter's stack may be gone. The wake-up uses the address as a name only.
//
// Who is called needs the mutex next. So if the caller holds it, it wakes the waiter when it releases the mutex and
// not before (wake_on_release); and a broadcast does not wake everybody to fight for the mutex: a few are released
// at once, as many as there are CPUs, and each of them releases another when it has the mutex.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "preload/layout.hpp"

namespace hemlock::preload {

struct cond_waiter {
  enum state_type : std::uint32_t { waiting, asleep, leaving, called, promised, promised_asleep, released };

  std::atomic<std::uint32_t> state{waiting};
  pthread_mutex_t* mutex;
  cond_waiter* next = nullptr;
  cond_waiter* previous = nullptr;
  cond_waiter* follower = nullptr;  ///< whom to release when we have the mutex

  explicit cond_waiter(pthread_mutex_t* with) noexcept : mutex(with) {}
  bool is_free_to_go() const noexcept {
    const std::uint32_t seen = state.load(std::memory_order_acquire);  // with the caller's release
    return seen == called || seen == released;
  }
};

namespace cond_queue {

/// Behind all others. The mutex is still held, so whoever signals after us finds us.
void join(cond_body& cond, cond_waiter& self) noexcept;

/// Gives up: true if nobody had called us, and we are out of the list. False if somebody had: then the wait ended
/// by that call.
bool leave(cond_body& cond, cond_waiter& self) noexcept;

/// After `called`: our last look at the condition variable.
void depart(cond_body& cond, cond_waiter& self) noexcept;

void call_one(cond_body& cond) noexcept;
void call_all(cond_body& cond) noexcept;
void release(cond_waiter* waiter) noexcept;

/// Until nobody looks at the condition variable any more.
void await_empty(cond_body& cond) noexcept;

/// In a child of fork(): drops waiters that do not exist here.
void repair(cond_body& cond) noexcept;

}  // namespace cond_queue

}  // namespace hemlock::preload
