// How evenly a lock serves: MutexBench with a look at the clock before and after each acquisition. The clock
// costs some tens of nanoseconds, so throughput is never taken from here.
#pragma once

#include <algorithm>
#include <random>

#include "bench/sections.hpp"
#include "bench/workload.hpp"
#include "hemlock/locks/lock_handle.hpp"
#include "hemlock/platform/cache_line.hpp"
#include "hemlock/platform/spin_bound.hpp"

namespace hemlock::bench {

template <class Lock>
class fairness final : public workload {
public:
  explicit fairness(const sections& what) : what_(what) {}

  void work(worker& me) override {
    std::mt19937 own(me.seed);
    std::uint64_t last_turn = 0;
    std::uint64_t last_time = 0;
    bool measuring = false;
    repeat(me, [&] {
      const auto critical = length_of(what_.critical, own);
      const auto asked = monotonic_nanoseconds();
      std::uint64_t turn;
      std::uint64_t got;
      {
        scoped<Lock> hold(lock_);
        got = monotonic_nanoseconds();
        turn = ++turns_;
        step(shared_, critical);
      }
      // A wait that is still on when the run ends counts too: else a starved thread would look like a happy one.
      if (measuring) {
        me.waits.add(got - asked);
        me.longest_gap_operations = std::max(me.longest_gap_operations, turn - last_turn - 1);
        me.longest_gap_nanoseconds = std::max(me.longest_gap_nanoseconds, got - last_time);
      } else {
        measuring = me.board.now() != phase::warming;
      }
      last_turn = turn;
      last_time = got;
      step(own, length_of(what_.other, own));
    });
  }

private:
  const sections what_;
  alignas(false_sharing_bytes) Lock lock_{};
  alignas(false_sharing_bytes) std::uint64_t turns_ = 0;
  std::mt19937 shared_{};
};

}  // namespace hemlock::bench
