// ticket: two counters, one that arriving threads draw from and one that says whose turn it is. The paper's
// third baseline: the fastest without contention, poor with many waiters, who all look at one word.
//
// Words
//   Next     the ticket for the next to arrive; fetch-and-add by arriving threads
//   Serving  the ticket whose turn it is; written by the holder only
//
// Invariants
//   I1  Serving <= Next; equal exactly when the lock is free.
//
// Orders
//   label       operation              order    partner  if it were weaker
//   arrive      fetch-and-add of Next  relaxed  -        only hands out numbers
//   turn        load of Serving        acquire  serve    the predecessor's section is not seen
//   try         CAS of Next            relaxed  -        `turn` has seen the section already
//   holder      load of Serving        relaxed  -        nobody else writes it now
//   serve       store to Serving       release  turn     our section is not seen by the next
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock is wait-free. unlock never touches the lock after
// serve, so the next holder may destroy it. try_lock succeeds only when nobody waits: tickets are never drawn in
// vain. 64-bit counters: they do not wrap.
#pragma once

#include <cstdint>

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class ticket : public lock_facade<ticket<World>, World> {
public:
  static constexpr lock_traits traits{.name = "ticket",
                                      .summary = "classic ticket lock: all waiters look at one word",
                                      .source = "Empirical results",
                                      .doorstep = "arrive",
                                      .hand_over = "serve",
                                      .fifo = true};

  constexpr ticket() noexcept = default;

  void acquire() noexcept {
    const std::uint64_t mine = next_.fetch_add(1, order::relaxed<"arrive">);
    if (serving_.load(order::acquire<"turn">) != mine) [[unlikely]]
      await(mine);
  }

  [[nodiscard]] bool try_acquire() noexcept {
    std::uint64_t turn = serving_.load(order::acquire<"turn">);
    // Next == turn means that Serving is still turn (I1), so drawing that ticket takes the lock.
    return next_.compare_exchange_strong(turn, turn + 1, order::relaxed<"try">, order::relaxed<"try">);
  }

  void release() noexcept {
    serving_.store(serving_.load(order::relaxed<"holder">) + 1, order::release<"serve">);
  }

private:
  [[gnu::cold, gnu::noinline]] void await(std::uint64_t mine) noexcept {
    typename World::spinner wait;
    while (serving_.load(order::acquire<"turn">) != mine) wait.pause();
  }

  typename World::template atomic<std::uint64_t> next_{0};
  typename World::template atomic<std::uint64_t> serving_{0};
};

}  // namespace hemlock
