// The paper's "Multi-waiting": a leader takes ten locks in ascending order and gives them back in reverse,
// while the others take one at random. Many threads then wait on what the leader holds, the region where
// Hemlock is at its weakest. Only the leader's steps count.
#pragma once

#include <array>
#include <cstddef>
#include <random>

#include "bench/workload.hpp"
#include "hemlock/locks/lock_handle.hpp"
#include "hemlock/platform/cache_line.hpp"

namespace hemlock::bench {

template <class Lock>
class multiwait final : public workload {
public:
  static constexpr std::size_t locks = 10;

  void work(worker& me) override {
    if (me.index == 0) {
      repeat(me, [&] { take_from<0>(); });
    } else {
      std::minstd_rand own(me.seed);
      std::uniform_int_distribution<std::size_t> any(0, locks - 1);
      repeat(me, [&] { scoped<Lock> hold(locks_[any(own)].lock); });
      me.operations = 0;
    }
  }

private:
  /// A scope within a scope for each lock: their ends give the reverse order.
  template <std::size_t First>
  void take_from() {
    if constexpr (First < locks) {
      scoped<Lock> hold(locks_[First].lock);
      take_from<First + 1>();
    }
  }

  struct alignas(false_sharing_bytes) slot {
    Lock lock{};
  };
  std::array<slot, locks> locks_{};
};

}  // namespace hemlock::bench
