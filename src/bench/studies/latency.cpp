// Uncontended lock and unlock, by Google Benchmark: it finds the number of iterations that fills the time.
#include <benchmark/benchmark.h>

#include <atomic>
#include <stdexcept>

#include "bench/catalogue.hpp"
#include "bench/studies/studies.hpp"
#include "hemlock/platform/cache_line.hpp"

namespace hemlock::bench {
namespace {

/// The floor for every lock that takes and gives back with one atomic read-modify-write each. Excludes nobody.
void pair_of_rmws(benchmark::State& state) {
  alignas(false_sharing_bytes) std::atomic<std::uintptr_t> word{0};
  benchmark::DoNotOptimize(&word);
  for (auto _ : state) {
    word.exchange(1, std::memory_order_acquire);
    std::uintptr_t held = 1;
    word.compare_exchange_strong(held, 0, std::memory_order_release, std::memory_order_relaxed);
  }
}

/// Keeps the one time of the one run.
class listener final : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const auto& one : runs)
      if (one.iterations > 0) seconds_ = one.real_accumulated_time / static_cast<double>(one.iterations);
  }
  double seconds() const {
    if (seconds_ <= 0) throw std::runtime_error("Google Benchmark gave no time");
    return seconds_;
  }

private:
  double seconds_ = 0;
};

double measured(void (*body)(benchmark::State&), std::chrono::nanoseconds duration) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("uncontended", body)->MinTime(std::chrono::duration<double>(duration).count());
  listener heard;
  benchmark::RunSpecifiedBenchmarks(&heard);
  return heard.seconds();
}

}  // namespace

study latency_study(const setup& how) {
  study all;
  all.figures.push_back(
      {.name = "latency: uncontended",
       .title = "Latency of an uncontended lock and unlock",
       .shows = "The time of one lock and unlock by a single thread, the lock being in its cache. "
                "\"pair of RMWs\" is the floor: an exchange and a compare-and-swap, no lock at all.",
       .x = {.name = "threads", .unit = ""},
       .y = {.name = "latency", .unit = "s"},
       .direction = report::better::lower,
       .baseline = "pair of RMWs",
       .parameters = parameters_of(how, false)});
  const auto add = [&](const std::string& name, void (*body)(benchmark::State&)) {
    all.trials.push_back({.series = name, .x = 1, .marks = {}, .once = [body, how](std::uint64_t) {
                            return std::optional<metrics>(metrics{measured(body, how.duration)});
                          }});
  };
  for (const auto& lock : how.locks) add(label(lock), lock.latency);
  add("pair of RMWs", pair_of_rmws);
  return all;
}

}  // namespace hemlock::bench
