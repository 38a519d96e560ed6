#include "sim/study.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace hemlock::sim {
namespace {

std::string model_of(const profile& on) {
  return fmt::format(
      "{}, {} x {} cores{} x {}, stores {}{}{}{}", name_of(on.coherence), on.sockets, on.cores_per_socket,
      on.has_clusters() ? fmt::format(" in clusters of {}", on.cores_per_cluster) : "", on.threads_per_core,
      name_of(on.stores), on.adjacent_line_prefetch ? ", adjacent-line prefetch" : "",
      on.node_spacing == 64 ? ", nodes of one line" : "",
      on.remote_read_invalidates ? ", remote reads invalidate" : "");
}

report::experiment figure(const sweep& asked, const std::string& workload, const std::string& what,
                          const std::string& shows, const report::axis& y, report::better direction) {
  report::experiment made;
  made.name = fmt::format("sim {} {} {}", workload, what, asked.on.name);
  made.title = fmt::format("{}: {}, simulated {}", workload, what, asked.on.name);
  made.shows = shows + " Simulated, one sample per seed.";
  made.x = {"threads", "", report::scale::logarithmic};
  made.y = y;
  made.direction = direction;
  made.parameters = {{"machine", asked.on.description},
                     {"model", model_of(asked.on)},
                     {"seeds", std::to_string(asked.seeds)},
                     {"first seed", std::to_string(asked.first_seed)},
                     {"waiting", asked.waiting == wait_style::park ? "park" : "spin"}};
  return made;
}

/// One chart and how its samples come from a run.
struct chart {
  report::experiment figure;
  std::function<double(const run_result&)> value;
};

template <class Run>
std::vector<report::experiment> conduct(const sweep& asked, const std::vector<std::string>& series,
                                        std::vector<chart> charts, const watcher& watch, Run run_one) {
  bool go_on = true;
  for (const int threads : asked.threads)
    for (std::size_t i = 0; go_on && i < series.size(); ++i) {
      go_on = watch(series[i], threads);
      const int seeds =
          threads > 64 && asked.seeds_beyond_64_threads > 0 ? asked.seeds_beyond_64_threads : asked.seeds;
      for (int seed = 0; go_on && seed < seeds; ++seed) {
        const machine_options options{.seed = asked.first_seed + static_cast<std::uint64_t>(seed)};
        const run_result result = run_one(i, threads, options);
        for (auto& each : charts) each.figure.in(series[i]).at(threads).samples.push_back(each.value(result));
      }
    }
  std::vector<report::experiment> figures;
  for (auto& each : charts) figures.push_back(std::move(each.figure));
  return figures;
}

double most_pollers(const run_result& result) {
  return result.counted.most_pollers;
}

}  // namespace

std::vector<report::experiment> study_mutexbench(const sweep& asked, const mutexbench& what,
                                                 const watcher& watch) {
  const std::string workload =
      what.how == contention::maximum ? "mutexbench maximum contention" : "mutexbench moderate contention";
  const report::axis accesses{"offcore accesses per acquisition", ""};
  std::vector<chart> charts{
      {figure(asked, workload, "throughput", "Acquisitions by all threads together.",
              {"throughput", "acquisitions/s", report::scale::logarithmic}, report::better::higher),
       [](const run_result& result) { return result.rate(); }},
      {figure(asked, workload, "offcore accesses",
              "Reads and requests for ownership that left a core, prefetches included.", accesses,
              report::better::lower),
       [](const run_result& result) { return result.offcore(); }},
      {figure(asked, workload, "hand-over",
              "From the end of a section to the start of the waiting successor's.",
              {"hand-over latency", "ns"}, report::better::lower),
       [](const run_result& result) { return result.handover_ns; }},
      {figure(asked, workload, "invalidations", "Copies that caches lost to another's write.",
              {"invalidations per acquisition", ""}, report::better::lower),
       [](const run_result& result) { return result.per_step(result.counted.invalidations); }},
      {figure(asked, workload, "waiters per word", "Most threads that looked at one word at one time.",
              {"waiters", "threads"}, report::better::lower),
       most_pollers}};
  return conduct(asked, asked.locks, std::move(charts), watch,
                 [&](std::size_t i, int threads, const machine_options& options) {
                   mutexbench one = what;
                   one.lock = asked.locks[i];
                   one.threads = threads;
                   one.waiting = asked.waiting;
                   return run(asked.on, options, one);
                 });
}

std::vector<report::experiment> study_multiwait(const sweep& asked, const watcher& watch) {
  std::vector<chart> charts{
      {figure(asked, "multiwait", "throughput", "How often the leader takes and gives back all ten locks.",
              {"throughput", "leader steps/s", report::scale::logarithmic}, report::better::higher),
       [](const run_result& result) { return result.rate(); }},
      {figure(asked, "multiwait", "waiters per word", "Most threads that looked at one word at one time.",
              {"waiters", "threads"}, report::better::lower),
       most_pollers}};
  return conduct(asked, asked.locks, std::move(charts), watch,
                 [&](std::size_t i, int threads, const machine_options& options) {
                   multiwait one;
                   one.lock = asked.locks[i];
                   one.threads = threads;
                   one.waiting = asked.waiting;
                   return run(asked.on, options, one);
                 });
}

std::vector<report::experiment> study_ring(const sweep& asked, const watcher& watch) {
  std::vector<std::string> series;
  for (const look each : all_looks) series.emplace_back(name_of(each));
  std::vector<chart> charts{
      {figure(asked, "ring", "circulation", "Hand-overs of one token around a ring of threads.",
              {"throughput", "hand-overs/s", report::scale::logarithmic}, report::better::higher),
       [](const run_result& result) { return result.rate(); }}};
  return conduct(asked, series, std::move(charts), watch,
                 [&](std::size_t i, int threads, const machine_options& options) {
                   ring one;
                   one.how = all_looks[i];
                   one.threads = threads;
                   return run(asked.on, options, one);
                 });
}

averages average(const std::vector<run_result>& runs) {
  averages sum;
  const auto share = 1.0 / static_cast<double>(runs.size());
  double time_per_step = 0;
  for (const auto& each : runs) {
    time_per_step += share / each.rate();
    sum.offcore += share * each.offcore();
    sum.prefetches += share * each.per_step(each.counted.prefetch_reads);
    sum.upgrades += share * each.per_step(each.counted.upgrades);
    sum.handover_ns += share * each.handover_ns;
    sum.invalidations += share * each.per_step(each.counted.invalidations);
    sum.most_pollers = std::max<int>(sum.most_pollers, each.counted.most_pollers);
  }
  sum.rate = 1 / time_per_step;
  return sum;
}

namespace {

template <class Workload>
averages average_of(const profile& on, const Workload& what, int seeds) {
  std::vector<run_result> runs;
  for (int seed = 1; seed <= seeds; ++seed)
    runs.push_back(run(on, {.seed = static_cast<std::uint64_t>(seed)}, what));
  return average(runs);
}

}  // namespace

averages average_mutexbench(const profile& on, const mutexbench& what, int seeds) {
  return average_of(on, what, seeds);
}
averages average_multiwait(const profile& on, const multiwait& what, int seeds) {
  return average_of(on, what, seeds);
}
averages average_ring(const profile& on, const ring& what, int seeds) {
  return average_of(on, what, seeds);
}

}  // namespace hemlock::sim
