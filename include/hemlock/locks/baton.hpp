// A baton that one thread passes and one awaits: the word on which mcs, clh and hemlock-chain wait.
//
// Words
//   state  waiting   not passed; the awaiting thread, if any, is looking
//          passed    for good, until the owner of the memory makes it `waiting` again
//          sleeping  not passed; the awaiting thread sleeps. Never set in a World that cannot park
//
// Orders
//   label          operation                    order    partner     if it were weaker
//   baton-reset    store of waiting             relaxed  -           whoever publishes the baton publishes this too
//   baton-see      load                         acquire  baton-pass  what the passer did before is not seen
//   baton-sleep    CAS waiting to sleeping      relaxed  -           only says that a wake-up is wanted
//   baton-pass     SWAP (or store) of passed    release  baton-see   as baton-see
//
// pass() touches the baton once: as soon as the awaiting thread sees it, the memory may be gone. The wake-up
// that may follow uses the address as a name only.
#pragma once

#include <cstdint>

#include "../world/order.hpp"

namespace hemlock {

template <class World>
class baton {
public:
  void reset() noexcept { state_.store(waiting, order::relaxed<"baton-reset">); }

  void await() noexcept {
    typename World::spinner wait;
    while (state_.load(order::acquire<"baton-see">) == waiting) {
      if (!wait.pause_or_park()) return sleep();
    }
  }

  void pass() noexcept {
    if constexpr (World::may_park) {
      if (state_.exchange(passed, order::release<"baton-pass">) == sleeping) World::unpark_one(&state_);
    } else {
      state_.store(passed, order::release<"baton-pass">);
    }
  }

private:
  enum : std::uint32_t { waiting, passed, sleeping };

  [[gnu::cold, gnu::noinline]] void sleep() noexcept {
    std::uint32_t seen = waiting;
    state_.compare_exchange_strong(seen, sleeping, order::relaxed<"baton-sleep">,
                                   order::relaxed<"baton-sleep">);
    // If it was passed meanwhile, the first look says so.
    while (state_.load(order::acquire<"baton-see">) == sleeping)
      World::park(state_, static_cast<std::uint32_t>(sleeping));
  }

  typename World::template atomic<std::uint32_t> state_{waiting};
};

}  // namespace hemlock
