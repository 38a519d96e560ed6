#include "bench/drivers.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "bench/catalogue.hpp"
#include "bench/studies/studies.hpp"
#include "bench/thread_list.hpp"

namespace hemlock::bench {
namespace {

constexpr std::string_view doubling = "1,2,4-64x2";

/// What every benchmark has, unless it says otherwise.
request usual() {
  return {.locks = "all",
          .wait = "auto",
          .threads = std::string(doubling),
          .duration = "10s",
          .critical = "empty",
          .other = "empty",
          .pin = "none",
          .variants = {},
          .pairs = {},
          .buckets = {},
          .entries = {},
          .runs = 7,
          .spin_limit = 4,
          .seed = 1};
}

request moderate() {
  request all = usual();
  all.critical = to_string(moderate_contention.critical);
  all.other = to_string(moderate_contention.other);
  return all;
}

std::vector<driver> make_drivers() {
  std::vector<driver> all;
  all.push_back({"mutexbench",
                 "One lock, taken by all threads, as in the paper: throughput.",
                 {.sections = true},
                 usual(),
                 [](const setup& how, const request&) { return mutexbench_study(how); }});

  all.push_back({"multiwait",
                 "A leader takes ten locks while the others take one: the leader's steps.",
                 {},
                 usual(),
                 [](const setup& how, const request&) { return multiwait_study(how); }});

  request fair = moderate();
  fair.duration = "2s";
  all.push_back({"fairness",
                 "Shares, waits and gaps of the threads that take one lock.",
                 {.sections = true},
                 fair,
                 [](const setup& how, const request&) { return fairness_study(how); }});

  request crowded = usual();
  crowded.threads = "1c-32cx2";
  crowded.duration = "2s";
  all.push_back({"oversubscribe",
                 "MutexBench with 1 to 32 times as many threads as CPUs.",
                 {.sections = true},
                 crowded,
                 [](const setup& how, const request&) { return mutexbench_study(how); }});

  request ring = usual();
  ring.duration = "1s";
  ring.variants = "load,cas,swap,faa";
  all.push_back({"ring",
                 "A token through a ring of mailboxes, waited for by load, CAS, SWAP, FAA.",
                 {.locks = false, .variants = true},
                 ring,
                 [](const setup& how, const request& asked) {
                   return ring_study(how, split_names(*asked.variants), split_names(*asked.wait));
                 }});

  request alone = usual();
  alone.duration = "100ms";
  all.push_back({"latency",
                 "Lock and unlock by one thread, without contention.",
                 {.threads = false},
                 alone,
                 [](const setup& how, const request&) { return latency_study(how); }});

  request table = usual();
  table.threads = "1c";
  table.duration = "1s";
  table.runs = 3;
  table.locks = "all,peers";
  table.buckets = 10'000'000;
  all.push_back({"space",
                 "A table with a lock per bucket: memory and throughput.",
                 {.buckets = true},
                 table,
                 [](const setup& how, const request& asked) { return space_study(how, *asked.buckets); }});

  request waiting = usual();
  waiting.duration = "1s";
  waiting.pairs = fmt::format("{}", fmt::join(known_condvar_pairs(), ","));
  all.push_back(
      {"condvar",
       "Condition variables: ping-pong, bounded queues, waking everybody.",
       {.locks = false, .wait = false, .threads = false, .pairs = true},
       waiting,
       [](const setup& how, const request& asked) { return condvar_study(how, split_names(*asked.pairs)); }});

  request peers = usual();
  peers.locks = "all,peers";
  peers.duration = "1s";
  all.push_back({"peers",
                 "Our locks beside other people's: both loads, shares, waits, CPU time.",
                 {},
                 peers,
                 [](const setup& how, const request&) { return peers_study(how); }});
  return all;
}

request figure(std::string_view locks, std::string_view wait, int runs, std::string_view duration,
               const sections& load) {
  request all;
  all.locks = std::string(locks);
  all.wait = std::string(wait);
  all.threads = std::string(doubling);
  all.duration = std::string(duration);
  all.critical = to_string(load.critical);
  all.other = to_string(load.other);
  all.runs = runs;
  return all;
}

}  // namespace

const std::vector<driver>& all_drivers() {
  static const std::vector<driver> all = make_drivers();
  return all;
}

const driver& find_driver(std::string_view name) {
  for (const auto& one : all_drivers())
    if (one.name == name) return one;
  throw std::logic_error(fmt::format("no benchmark {}", name));
}

const std::vector<preset>& all_presets() {
  // The paper's locks spin; where threads outnumber the CPUs, --wait auto shows more.
  static const std::vector<preset> all{
      {"max-contention", "mutexbench", "the paper's figure MutexBench: Maximum Contention",
       figure("paper", "spin", 7, "10s", maximum_contention)},
      {"moderate-contention", "mutexbench", "the paper's figure MutexBench: Moderate Contention",
       figure("paper", "spin", 7, "10s", moderate_contention)},
      {"multi-waiting", "multiwait", "the paper's figure Multi-waiting",
       figure("paper", "spin", 7, "10s", maximum_contention)},
      {"leveldb", leveldb_name, "the paper's figure LevelDB readrandom",
       figure("native,mcs,ticket,hemlock-ctr,hemlock-naive", "spin", 5, "50s", maximum_contention)},
  };
  return all;
}

const preset& find_preset(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& one : all_presets()) {
    if (one.name == name) return one;
    known.push_back(one.name);
  }
  throw std::invalid_argument(fmt::format("unknown preset '{}'; known: {}", name, fmt::join(known, ", ")));
}

request with_defaults(request typed, const request& fallback) {
  const auto fill = [](auto& field, const auto& otherwise) {
    if (!field) field = otherwise;
  };
  fill(typed.locks, fallback.locks);
  fill(typed.wait, fallback.wait);
  fill(typed.threads, fallback.threads);
  fill(typed.duration, fallback.duration);
  fill(typed.critical, fallback.critical);
  fill(typed.other, fallback.other);
  fill(typed.pin, fallback.pin);
  fill(typed.variants, fallback.variants);
  fill(typed.pairs, fallback.pairs);
  fill(typed.buckets, fallback.buckets);
  fill(typed.entries, fallback.entries);
  fill(typed.runs, fallback.runs);
  fill(typed.spin_limit, fallback.spin_limit);
  fill(typed.seed, fallback.seed);
  return typed;
}

setup understand(const request& asked, const understands& options, std::function<bool()> interrupted) {
  setup how;
  if (options.locks) how.locks = choose(split_names(*asked.locks), split_names(*asked.wait));
  how.threads = parse_thread_list(*asked.threads);
  how.duration = parse_duration(*asked.duration);
  how.load = {.critical = parse_section(*asked.critical), .other = parse_section(*asked.other)};
  how.pin = parse_pinning(*asked.pin);
  how.runs = *asked.runs;
  how.spin_limit = *asked.spin_limit;
  how.seed = *asked.seed;
  how.interrupted = std::move(interrupted);
  if (how.runs < 1)
    throw std::invalid_argument(fmt::format("--runs {}: at least one run is needed", how.runs));
  if (how.spin_limit < 0)
    throw std::invalid_argument("--spin-limit is a number of threads per CPU, or 0 for none");
  if (how.duration < std::chrono::microseconds{100})
    throw std::invalid_argument(fmt::format("--duration {}: too short to measure anything", *asked.duration));
  return how;
}

std::chrono::nanoseconds expected_time(const study& what, const setup& how) {
  const auto trials =
      std::count_if(what.trials.begin(), what.trials.end(), [](const trial& t) { return !!t.once; });
  return trials * how.runs * (how.duration + warm_up_of(how.duration));
}

}  // namespace hemlock::bench
