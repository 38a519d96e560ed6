// ttas: a polite test-and-test-and-set lock: waiters only look until the lock seems free. Small and quick
// without contention; with it, every release makes all waiters rush, and anyone may starve. Related work.
//
// Words
//   Taken  0 free, 1 held; SWAP by those who saw it free, stored by the holder
//
// Orders
//   label  operation      order    partner  if it were weaker
//   peek   load of Taken  relaxed  -        only a hint
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
class ttas : public lock_facade<ttas<World>, World> {
public:
  static constexpr lock_traits traits{.name = "ttas",
                                      .summary = "polite test-and-test-and-set: looks before it writes",
                                      .source = "Related work"};

  constexpr ttas() noexcept = default;

  void acquire() noexcept {
    if (!try_acquire()) [[unlikely]]
      contend();
  }
  [[nodiscard]] bool try_acquire() noexcept {
    return taken_.load(order::relaxed<"peek">) == 0 && taken_.exchange(1, order::acquire<"take">) == 0;
  }
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
