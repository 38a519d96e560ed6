// tas: a test-and-set lock, the simplest there is. Choose it never, except to compare: waiters write the lock's
// word all the time, and anyone may starve. Related work.
//
// Words
//   Taken  0 free, 1 held; SWAP by all who want it, stored by the holder
//
// Orders
//   label  operation      order    partner  if it were weaker
//   take   SWAP of Taken  acquire  free     the previous section is not seen
//   free   store of 0     release  take     our section is not seen by the next
//
// Promises: no fairness at all. unlock is one store, and never touches the lock after it.
#pragma once

#include <cstdint>

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class tas : public lock_facade<tas<World>, World> {
public:
  static constexpr lock_traits traits{
      .name = "tas", .summary = "test-and-set: every look is a write", .source = "Related work"};

  constexpr tas() noexcept = default;

  void acquire() noexcept {
    if (!try_acquire()) [[unlikely]]
      contend();
  }
  [[nodiscard]] bool try_acquire() noexcept { return taken_.exchange(1, order::acquire<"take">) == 0; }
  void release() noexcept { taken_.store(0, order::release<"free">); }

private:
  [[gnu::cold, gnu::noinline]] void contend() noexcept {
    typename World::spinner wait;
    do wait.pause();
    while (!try_acquire());
  }

  typename World::template atomic<std::uint64_t> taken_{0};
};

}  // namespace hemlock
