#include "preload/cond_wait.hpp"

#include <algorithm>
#include <cerrno>

#include "hemlock/platform/cpu_relax.hpp"
#include "hemlock/platform/futex.hpp"
#include "hemlock/platform/spin_bound.hpp"
#include "preload/cond_queue.hpp"
#include "preload/hooks.hpp"
#include "preload/mutex.hpp"
#include "preload/statistics.hpp"

namespace hemlock::preload {
namespace {

struct one_wait {
  cond_body& cond;
  cond_waiter self;
};

/// Waits, without being a cancellation point, until a waiter that was promised its turn gets it.
void await_release(cond_waiter& self) noexcept {
  std::uint32_t seen = self.state.load(std::memory_order_acquire);
  while (seen != cond_waiter::released) {
    if (seen == cond_waiter::promised &&
        !self.state.compare_exchange_strong(seen, cond_waiter::promised_asleep, std::memory_order_acquire))
      continue;
    futex_wait(futex_address(self.state), cond_waiter::promised_asleep);
    seen = self.state.load(std::memory_order_acquire);
  }
}

/// The mutex again, and then the next of a broadcast.
int retake(cond_waiter& self) noexcept {
  const int result = retake_after_wait(self.mutex);
  if (self.follower != nullptr) cond_queue::release(self.follower);
  return result;
}

/// Out of the wait, before its time. A signal that came meanwhile goes to another waiter.
void withdraw(one_wait& wait) noexcept {
  if (cond_queue::leave(wait.cond, wait.self)) return;
  if (wait.self.state.load(std::memory_order_acquire) == cond_waiter::called) {
    cond_queue::call_one(wait.cond);
    cond_queue::depart(wait.cond, wait.self);
  } else {
    await_release(wait.self);
  }
}

void give_up_cancelled(void* argument) {
  one_wait& wait = *static_cast<one_wait*>(argument);
  withdraw(wait);
  retake(wait.self);
}

/// Sleeps while the state is `asleep`. The only place where cancellation may strike: between the two calls nothing
/// happens but the system call.
int sleep_cancellably(one_wait& wait, const deadline* limit) {
  int result;
  pthread_cleanup_push(give_up_cancelled, &wait);
  int type;
  // NOLINTNEXTLINE(concurrency-thread-canceltype-asynchronous): a system call made directly is no cancellation point
  ::pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
  result = futex_wait(futex_address(wait.self.state), cond_waiter::asleep,
                      limit != nullptr ? &limit->when : nullptr, limit != nullptr && limit->realtime);
  ::pthread_setcanceltype(type, nullptr);
  pthread_cleanup_pop(0);
  return result;
}

/// Whether this thread's last waits were short. Not in the condition variable, which may be gone when we know.
///   1 ...                  looks before it sleeps: how many failures more it will bear
///   0, or above try_again  sleeps at once; counts up to 2 * try_again, then looks again to find out
constinit thread_local std::uint32_t spin_record = 0;

/// Looks for a moment before it sleeps, where that was worth it lately: threads that run at the same time and answer
/// each other quickly save both the sleep and the wake-up.
bool is_called_soon(const cond_waiter& self) noexcept {
  constexpr std::uint32_t success = 4;
  constexpr std::uint32_t try_again = 32;
  if (spin_record == 0 || spin_record > try_again) {
    spin_record = spin_record >= 2 * try_again ? 1 : std::max(spin_record, try_again) + 1;
    return false;
  }
  for (std::uint32_t left = relaxes_worth_spinning(); left > 0; --left) {
    if (self.state.load(std::memory_order_relaxed) != cond_waiter::waiting) {
      spin_record = success;
      return true;
    }
    cpu_relax();
  }
  --spin_record;
  return false;
}

/// Until called or released, or ETIMEDOUT.
int await_call(one_wait& wait, const deadline* limit) {
  cond_waiter& self = wait.self;
  if (!is_called_soon(self)) {
    std::uint32_t seen = cond_waiter::waiting;
    self.state.compare_exchange_strong(seen, cond_waiter::asleep, std::memory_order_relaxed);
  }
  int outcome = 0;
  while (self.state.load(std::memory_order_relaxed) == cond_waiter::asleep && outcome != ETIMEDOUT)
    outcome = sleep_cancellably(wait, limit);
  if (!self.is_free_to_go()) {
    if (outcome == ETIMEDOUT && cond_queue::leave(wait.cond, self)) return ETIMEDOUT;
    if (self.state.load(std::memory_order_acquire) != cond_waiter::called) await_release(self);
  }
  if (self.state.load(std::memory_order_acquire) == cond_waiter::called)
    cond_queue::depart(wait.cond, wait.self);
  return 0;
}

}  // namespace

int wait_on(cond_body& cond, pthread_mutex_t* mutex, const deadline* limit) {
  // A request that is there already must not be missed by a wait that need not sleep. The mutex is held, as it must be.
  ::pthread_testcancel();
  statistics::note(statistics::cond_waits);
  one_wait wait{cond, cond_waiter{mutex}};
  cond_queue::join(cond, wait.self);
  if (const int error = release_for_wait(mutex)) {
    withdraw(wait);
    if (wait.self.follower != nullptr) cond_queue::release(wait.self.follower);
    return error;
  }
  const std::uint64_t since = hooks::condition_wait_begins();
  const int outcome = await_call(wait, limit);
  const int error = retake(wait.self);
  hooks::condition_wait_ended(body_of(mutex), since);
  return error != 0 ? error : outcome;
}

}  // namespace hemlock::preload
