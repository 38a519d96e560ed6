#include "preload/cond_queue.hpp"

#include "hemlock/platform/cpu_budget.hpp"
#include "hemlock/platform/futex.hpp"
#include "preload/fork.hpp"
#include "preload/mutex.hpp"
#include "preload/nap.hpp"
#include "preload/statistics.hpp"
#include "preload/word_lock.hpp"

namespace hemlock::preload::cond_queue {
namespace {

void wake(pthread_mutex_t* mutex, const std::atomic<std::uint32_t>& state) noexcept {
  if (!wake_on_release(mutex, &state)) futex_wake(&state, 1);
}

void take_out(cond_body& cond, cond_waiter& waiter) noexcept {  // Q1
  if (waiter.previous != nullptr)
    waiter.previous->next = waiter.next;
  else
    cond.first.store(waiter.next, std::memory_order_relaxed);
  if (waiter.next != nullptr)
    waiter.next->previous = waiter.previous;
  else
    cond.last = waiter.previous;
}

/// From waiting or asleep to `fresh`; what it was, or `leaving` if it gives up.
std::uint32_t claim(cond_waiter& waiter, std::uint32_t fresh, std::uint32_t fresh_asleep) noexcept {
  std::uint32_t seen = waiter.state.load(std::memory_order_relaxed);
  while (seen == cond_waiter::waiting || seen == cond_waiter::asleep) {
    const std::uint32_t wanted = seen == cond_waiter::asleep ? fresh_asleep : fresh;
    if (waiter.state.compare_exchange_weak(seen, wanted, std::memory_order_release,
                                           std::memory_order_relaxed))
      return seen;
  }
  return cond_waiter::leaving;
}

}  // namespace

void join(cond_body& cond, cond_waiter& self) noexcept {
  const word_guard held(cond.guard);
  self.previous = cond.last;
  if (cond.last != nullptr)
    cond.last->next = &self;
  else
    cond.first.store(&self, std::memory_order_relaxed);
  cond.last = &self;
}

bool leave(cond_body& cond, cond_waiter& self) noexcept {
  if (claim(self, cond_waiter::leaving, cond_waiter::leaving) == cond_waiter::leaving) return false;  // Q2
  const word_guard held(cond.guard);
  take_out(cond, self);
  return true;
}

void depart(cond_body& cond, cond_waiter& self) noexcept {
  const word_guard held(cond.guard);
  if (self.previous != nullptr)
    self.previous->next = self.next;
  else
    cond.called = self.next;
  if (self.next != nullptr) self.next->previous = self.previous;
}

void release(cond_waiter* waiter) noexcept {
  pthread_mutex_t* const mutex = waiter->mutex;  // Q4
  const std::uint32_t was = waiter->state.exchange(cond_waiter::released, std::memory_order_release);
  if (was == cond_waiter::promised_asleep) wake(mutex, waiter->state);
}

void call_one(cond_body& cond) noexcept {
  cond_waiter* chosen;
  pthread_mutex_t* mutex;
  std::uint32_t was;
  {
    const word_guard held(cond.guard);
    chosen = cond.first.load(std::memory_order_relaxed);
    while (chosen != nullptr &&
           (was = claim(*chosen, cond_waiter::called, cond_waiter::called)) == cond_waiter::leaving)
      chosen = chosen->next;
    if (chosen == nullptr) return;
    take_out(cond, *chosen);
    chosen->previous = nullptr;
    chosen->next = cond.called;
    if (cond.called != nullptr) cond.called->previous = chosen;
    cond.called = chosen;
    mutex = chosen->mutex;  // Q4
  }
  statistics::note(statistics::cond_wakes);
  if (was == cond_waiter::asleep) wake(mutex, chosen->state);
}

void call_all(cond_body& cond) noexcept {
  // Every `width`-th waiter of the same mutex follows the one before: as many queues as CPUs.
  constexpr unsigned widest = 16;
  const unsigned width =
      static_cast<unsigned>(cpu_budget()) < widest ? static_cast<unsigned>(cpu_budget()) : widest;
  cond_waiter* lasts[widest] = {};
  cond_waiter* firsts = nullptr;  // to be released, linked by `previous`
  unsigned turn = 0;
  {
    const word_guard held(cond.guard);
    cond_waiter* waiter = cond.first.load(std::memory_order_relaxed);
    for (cond_waiter* next; waiter != nullptr; waiter = next) {
      next = waiter->next;
      if (claim(*waiter, cond_waiter::promised, cond_waiter::promised_asleep) == cond_waiter::leaving)
        continue;
      take_out(cond, *waiter);  // its stack is there until it is released
      statistics::note(statistics::cond_wakes);
      cond_waiter*& last = lasts[turn];
      turn = turn + 1 == width ? 0 : turn + 1;
      if (last != nullptr && last->mutex == waiter->mutex) {
        last->follower = waiter;
      } else {
        waiter->previous = firsts;
        firsts = waiter;
      }
      last = waiter;
    }
  }
  while (firsts != nullptr) {
    cond_waiter* const one = firsts;
    firsts = one->previous;  // Q4
    release(one);
  }
}

void await_empty(cond_body& cond) noexcept {
  napper wait;
  while (true) {
    {
      const word_guard held(cond.guard);
      if (cond.first.load(std::memory_order_relaxed) == nullptr && cond.called == nullptr) return;
      // Whoever owes them a wake may be waiting for us, or be us.
      for (cond_waiter* waiter = cond.called; waiter != nullptr; waiter = waiter->next)
        futex_wake(&waiter->state, 1);
    }
    wait.nap();
  }
}

void repair(cond_body& cond) noexcept {
  const word_guard held(repair_guard);
  if (!is_stale(cond.age)) return;
  cond.first.store(nullptr, std::memory_order_relaxed);
  cond.last = nullptr;
  cond.guard.store(0, std::memory_order_relaxed);
  cond.called = nullptr;
  make_current(cond.age);
}

}  // namespace hemlock::preload::cond_queue
