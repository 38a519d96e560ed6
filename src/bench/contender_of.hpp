// Makes a contender of a lock type. Included by one file per waiting policy: each instantiates every workload
// for every lock, which is long to compile.
#pragma once

#include <benchmark/benchmark.h>

#include "bench/contender.hpp"
#include "bench/workloads/fairness.hpp"
#include "bench/workloads/multiwait.hpp"
#include "bench/workloads/mutexbench.hpp"
#include "bench/workloads/space.hpp"
#include "hemlock/locks/lock_handle.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native.hpp"
#include "hemlock/world/native_rcu.hpp"

namespace hemlock::bench {

template <class Lock>
void uncontended(benchmark::State& state) {
  alignas(false_sharing_bytes) Lock lock;
  benchmark::DoNotOptimize(&lock);
  for (auto _ : state) scoped<Lock> hold(lock);
}

template <class Lock>
contender contender_of(std::string_view wait) {
  return {.name = std::string(Lock::traits.name),
          .wait = std::string(wait),
          .facts = facts_of<Lock>(),
          .peer = false,
          .pure_spin = wait == waiting::spin::name,
          .mutexbench = [](const sections& what) -> std::unique_ptr<workload> {
            if (what.empty()) return std::make_unique<bare_mutexbench<Lock>>();
            return std::make_unique<mutexbench<Lock>>(what);
          },
          .fairness = [](const sections& what) -> std::unique_ptr<workload> {
            return std::make_unique<fairness<Lock>>(what);
          },
          .multiwait = []() -> std::unique_ptr<workload> { return std::make_unique<multiwait<Lock>>(); },
          .space = [](std::size_t buckets) -> std::unique_ptr<workload> {
            return std::make_unique<space<Lock>>(buckets);
          },
          .latency = uncontended<Lock>};
}

namespace detail {

/// In the plain native World if the lock exists there, else in the one with memory reclamation.
template <class Policy, class Entry>
void add_if_it_can(std::vector<contender>& all) {
  using world = std::conditional_t<Entry::template fits<native<Policy>>, native<Policy>, native_rcu<Policy>>;
  using lock = typename Entry::template lock<world>;
  if constexpr (!Policy::must_park || lock::traits.parks) all.push_back(contender_of<lock>(Policy::name));
}

template <class Policy, class... Entries>
std::vector<contender> contenders_that(lock_list<Entries...>) {
  std::vector<contender> all;
  (add_if_it_can<Policy, Entries>(all), ...);
  return all;
}

}  // namespace detail

template <class Policy>
std::vector<contender> contenders_that() {
  return detail::contenders_that<Policy>(all_locks{});
}

}  // namespace hemlock::bench
