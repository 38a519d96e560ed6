// MutexBench, as in the paper's "Empirical results": take the one lock, critical section, give it back,
// non-critical section.
#pragma once

#include <random>

#include "bench/sections.hpp"
#include "bench/workload.hpp"
#include "hemlock/locks/lock_handle.hpp"
#include "hemlock/platform/cache_line.hpp"

namespace hemlock::bench {

/// Both sections empty: as much contention as these threads can make. A class of its own, so that nothing but
/// the lock is in the loop.
template <class Lock>
class bare_mutexbench final : public workload {
public:
  void work(worker& me) override {
    repeat(me, [&] { scoped<Lock> hold(lock_); });
  }

private:
  alignas(false_sharing_bytes) Lock lock_{};
};

template <class Lock>
class mutexbench final : public workload {
public:
  explicit mutexbench(const sections& what) : what_(what) {}

  void work(worker& me) override {
    std::mt19937 own(me.seed);
    repeat(me, [&] {
      const auto critical = length_of(what_.critical, own);
      {
        scoped<Lock> hold(lock_);
        step(shared_, critical);
      }
      step(own, length_of(what_.other, own));
    });
  }

private:
  const sections what_;
  alignas(false_sharing_bytes) Lock lock_{};
  alignas(false_sharing_bytes) std::mt19937 shared_{};
};

}  // namespace hemlock::bench
