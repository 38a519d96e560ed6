// The studies behind `hemlock bench`, each ready to be conducted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/setup.hpp"
#include "bench/study.hpp"

namespace hemlock::bench {

/// Throughput over threads, with the CPU time each acquisition costs.
study mutexbench_study(const setup& how);

/// Steps of a leader that takes ten locks while all others take one.
study multiwait_study(const setup& how);

/// Shares, waits and gaps over threads.
study fairness_study(const setup& how);

/// Nanoseconds of an uncontended lock and unlock.
study latency_study(const setup& how);

/// A table with a lock per bucket: memory and throughput.
study space_study(const setup& how, std::size_t buckets);

/// A token through a ring of mailboxes. `variants`: load, cas, swap, faa; `waits`: spin, yield, auto.
study ring_study(const setup& how, const std::vector<std::string>& variants,
                 const std::vector<std::string>& waits);

/// Condition variables: ping-pong, bounded queues, notify_all. `pairs`: a mutex with its condition variable.
study condvar_study(const setup& how, const std::vector<std::string>& pairs);
const std::vector<std::string>& known_condvar_pairs();

/// Ours beside other people's: both loads, shares, waits, CPU time.
study peers_study(const setup& how);

/// The two loads' names, or what the sections are.
std::string name_of(const sections& load);

}  // namespace hemlock::bench
