#include "bench/setup.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "bench/catalogue.hpp"
#include "hemlock/platform/cpu_budget.hpp"

namespace hemlock::bench {

std::chrono::nanoseconds warm_up_of(std::chrono::nanoseconds duration) {
  return std::min<std::chrono::nanoseconds>(duration / 10, std::chrono::milliseconds{500});
}

run_settings settings_for(const setup& how, int threads, std::uint64_t seed) {
  return {.threads = threads,
          .warm_up = warm_up_of(how.duration),
          .duration = how.duration,
          .pin = how.pin,
          .seed = seed,
          .interrupted = how.interrupted};
}

std::vector<lane> lanes_of(const setup& how,
                           std::function<std::unique_ptr<workload>(const contender&)> make) {
  std::vector<lane> lanes;
  for (const auto& lock : how.locks)
    lanes.push_back({label(lock), lock.pure_spin, [make, lock](int) { return make(lock); }});
  return lanes;
}

bool mark_spinning(trial& one, const setup& how, bool pure_spin, int threads) {
  if (!pure_spin || threads <= cpu_budget()) return true;
  one.marks.emplace_back("pure spin, more threads than CPUs");
  if (how.spin_limit == 0 || threads <= how.spin_limit * cpu_budget()) return true;
  one.marks.emplace_back(fmt::format("not run: more than {} threads per CPU (--spin-limit)", how.spin_limit));
  return false;
}

void add_trials(study& into, const setup& how, const std::vector<lane>& lanes,
                std::function<metrics(const run_result&)> read) {
  for (const auto& [name, pure_spin, make] : lanes) {
    for (const int threads : how.threads) {
      trial one{.series = name, .x = static_cast<double>(threads)};
      if (mark_spinning(one, how, pure_spin, threads))
        one.once = [make = make, read, settings = settings_for(how, threads, 0)](
                       std::uint64_t seed) mutable -> std::optional<metrics> {
          settings.seed = seed;
          const auto what = make(settings.threads);
          const auto result = run(*what, settings);
          if (!result) return std::nullopt;
          return read(*result);
        };
      into.trials.push_back(std::move(one));
    }
  }
}

std::vector<std::pair<std::string, std::string>> parameters_of(const setup& how, bool with_sections) {
  const auto seconds = [](std::chrono::nanoseconds time) {
    return fmt::format("{:g} s", std::chrono::duration<double>(time).count());
  };
  std::vector<std::pair<std::string, std::string>> all;
  if (with_sections) {
    all.emplace_back("critical section", to_string(how.load.critical));
    all.emplace_back("non-critical section", to_string(how.load.other));
  }
  all.emplace_back("duration", seconds(how.duration));
  all.emplace_back("warm-up", seconds(warm_up_of(how.duration)));
  all.emplace_back("runs", std::to_string(how.runs));
  all.emplace_back("pinning", std::string(to_string(how.pin)));
  all.emplace_back("seed", std::to_string(how.seed));
  return all;
}

}  // namespace hemlock::bench
