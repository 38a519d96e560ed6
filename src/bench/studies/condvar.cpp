#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "bench/condvars/hemlock_pair.hpp"
#include "bench/condvars/std_pair.hpp"
#include "bench/studies/studies.hpp"
#include "bench/workloads/condvar.hpp"
#if defined(HEMLOCK_PEER_ABSEIL)
#include "bench/condvars/absl_pair.hpp"
#include "bench/peers/absl_mutex.hpp"
#endif
#if defined(HEMLOCK_PEER_NSYNC)
#include "bench/condvars/nsync_pair.hpp"
#endif

namespace hemlock::bench {
namespace {

constexpr int several = 4;    // producers, and as many consumers
constexpr int sleepers = 64;  // woken at once

/// A use of condition variables: its name under the bars, and the threads it takes.
struct use {
  std::string_view name;
  int threads;
};
constexpr std::array uses{use{"ping-pong", 2}, use{"queue 1:1", 2}, use{"queue 4:4", 2 * several},
                          use{"notify_all of 64", sleepers + 1}};

struct pair_entry {
  std::string_view name;
  std::array<std::unique_ptr<workload> (*)(), uses.size()> make;
};

template <class Pair>
constexpr pair_entry entry_of() {
  return {Pair::name,
          {[]() -> std::unique_ptr<workload> { return std::make_unique<ping_pong<Pair>>(); },
           []() -> std::unique_ptr<workload> { return std::make_unique<bounded_queue<Pair>>(1); },
           []() -> std::unique_ptr<workload> { return std::make_unique<bounded_queue<Pair>>(several); },
           []() -> std::unique_ptr<workload> { return std::make_unique<wake_everybody<Pair>>(); }}};
}

const std::vector<pair_entry>& all_pairs() {
#if defined(HEMLOCK_PEER_ABSEIL)
  peers::as_its_users_build_it();
#endif
  static const std::vector<pair_entry> all {
    entry_of<condvars::hemlock_pair>(), entry_of<condvars::std_pair>(),
#if defined(HEMLOCK_PEER_ABSEIL)
        entry_of<condvars::absl_pair>(),
#endif
#if defined(HEMLOCK_PEER_NSYNC)
        entry_of<condvars::nsync_pair>(),
#endif
  };
  return all;
}

const pair_entry& find_pair(const std::string& name) {
  for (const auto& one : all_pairs())
    if (one.name == name) return one;
  throw std::invalid_argument(
      fmt::format("unknown pair '{}'; known: {}", name, fmt::join(known_condvar_pairs(), ", ")));
}

}  // namespace

const std::vector<std::string>& known_condvar_pairs() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& one : all_pairs()) all.emplace_back(one.name);
    return all;
  }();
  return names;
}

study condvar_study(const setup& how, const std::vector<std::string>& pairs) {
  study all;
  report::experiment figure{
      .name = "condvar: operations",
      .title = "Condition variables",
      .shows =
          "Operations per second: turns of two threads, numbers through a queue of 16 "
          "places, and rounds in which one thread wakes 64 sleepers.",
      .x = {.name = "use", .unit = ""},
      .y = {.name = "operations", .unit = "operations/s", .kind = report::scale::logarithmic},
      .direction = report::better::higher,
      .parameters = parameters_of(how, false)};
  for (const auto& one : uses) figure.x.labels.emplace_back(one.name);
  if (std::find(pairs.begin(), pairs.end(), condvars::std_pair::name) != pairs.end())
    figure.baseline = condvars::std_pair::name;
  all.figures.push_back(std::move(figure));
  for (const auto& name : pairs) {
    const auto& pair = find_pair(name);
    for (std::size_t i = 0; i < uses.size(); ++i)
      all.trials.push_back({.series = name,
                            .x = static_cast<double>(i),
                            .marks = {},
                            .once = [make = pair.make[i], settings = settings_for(how, uses[i].threads, 0)](
                                        std::uint64_t seed) mutable -> std::optional<metrics> {
                              settings.seed = seed;
                              const auto what = make();
                              const auto result = run(*what, settings);
                              if (!result) return std::nullopt;
                              return metrics{result->per_second()};
                            }});
  }
  return all;
}

}  // namespace hemlock::bench
