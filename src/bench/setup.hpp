// What the user asked for, understood.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/contender.hpp"
#include "bench/crew.hpp"
#include "bench/pinning.hpp"
#include "bench/sections.hpp"
#include "bench/study.hpp"

namespace hemlock::bench {

struct setup {
  std::vector<contender> locks = {};
  std::vector<int> threads = {1};
  int runs = 7;
  std::chrono::nanoseconds duration = std::chrono::seconds{10};
  sections load = maximum_contention;
  pinning pin = pinning::none;
  std::uint64_t seed = 1;
  int spin_limit = 4;  ///< a pure spin lock is not run with more than so many threads per CPU; 0: no limit
  std::function<bool()> interrupted = [] { return false; };
};

/// A tenth of the duration, half a second at most.
std::chrono::nanoseconds warm_up_of(std::chrono::nanoseconds duration);

run_settings settings_for(const setup& how, int threads, std::uint64_t seed);

/// One line of a figure: what it is called, and its workload for a number of threads.
struct lane {
  std::string name;
  bool pure_spin = false;  ///< never gives the CPU away while it waits
  std::function<std::unique_ptr<workload>(int threads)> make = {};
};

/// A lane for each lock.
std::vector<lane> lanes_of(const setup& how, std::function<std::unique_ptr<workload>(const contender&)> make);

/// Marks pure spinning with more threads than CPUs. False beyond the spin limit: named, but not to be run, since
/// each hand-over then takes a time slice.
bool mark_spinning(trial& one, const setup& how, bool pure_spin, int threads);

using metrics = std::vector<std::optional<double>>;

/// A trial for each lane at each number of threads: makes the workload anew, runs it, reads the figures' values.
void add_trials(study& into, const setup& how, const std::vector<lane>& lanes,
                std::function<metrics(const run_result&)> read);

/// The parameters every figure carries, in reading order.
std::vector<std::pair<std::string, std::string>> parameters_of(const setup& how, bool with_sections);

}  // namespace hemlock::bench
