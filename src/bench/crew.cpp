#include "bench/crew.hpp"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <memory>
#include <numeric>
#include <thread>

namespace hemlock::bench {
namespace {

std::uint64_t nanoseconds_of(clockid_t clock) noexcept {
  timespec now;
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

double seconds_between(std::uint64_t start, std::uint64_t end) noexcept {
  return static_cast<double>(end - start) * 1e-9;
}

/// Sleeps in one piece, so that the sleeper never disturbs those it measures; only a signal cuts it short.
bool sleep_until(std::uint64_t deadline, const std::function<bool()>& interrupted) {
  const timespec until{.tv_sec = static_cast<time_t>(deadline / 1'000'000'000U),
                       .tv_nsec = static_cast<long>(deadline % 1'000'000'000U)};
  do {
    if (interrupted()) return false;
  } while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR);
  return true;
}

/// Threads made while this lives are not asked to handle signals: the one who sleeps above must be.
class signals_blocked {
public:
  signals_blocked() noexcept {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;
  ~signals_blocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_;
};

/// The threads of one run. However it ends, they are told and joined.
class crew {
public:
  crew(workload& what, const run_settings& settings) : what_(what) {
    const auto cpus = cpu_order(usable_cpus(), settings.pin);
    const signals_blocked quiet;
    try {
      for (int index = 0; index < settings.threads; ++index) {
        workers_.push_back(std::make_unique<padded<worker>>(
            padded<worker>{{.board = board_,
                            .index = index,
                            .threads = settings.threads,
                            .seed = static_cast<std::uint32_t>(settings.seed * 1'000'003U +
                                                               static_cast<std::uint64_t>(index))}}));
        const int cpu = cpus.empty() ? -1 : cpus[static_cast<std::size_t>(index) % cpus.size()];
        threads_.emplace_back([this, &me = *workers_.back(), cpu] {
          if (cpu >= 0) pin_this_thread(cpu);
          there_.fetch_add(1, std::memory_order_relaxed);
          there_.notify_one();
          started_.wait(false, std::memory_order_relaxed);
          what_.work(me);
        });
      }
    } catch (...) {
      finish();
      throw;
    }
  }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() { finish(); }

  /// Returns when every thread is ready; from then on they warm up.
  void start() {
    const int all = static_cast<int>(threads_.size());
    for (int there; (there = there_.load(std::memory_order_relaxed)) < all;) there_.wait(there);
    release();
  }

  void measure() noexcept { board_.set(phase::measuring); }

  void finish() {
    if (threads_.empty()) return;
    board_.set(phase::over);
    release();
    what_.stop();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  /// Only after finish(): joining is what makes the workers' plain fields readable.
  void collect(run_result& into) const {
    for (const auto& each : workers_) {
      into.operations.push_back(each->operations);
      into.waits.add(each->waits);
      into.longest_gap_operations = std::max(into.longest_gap_operations, each->longest_gap_operations);
      into.longest_gap_nanoseconds = std::max(into.longest_gap_nanoseconds, each->longest_gap_nanoseconds);
    }
    into.findings = what_.findings();
  }

private:
  void release() {
    started_.store(true, std::memory_order_relaxed);
    started_.notify_all();
  }

  workload& what_;
  phase_board board_;
  std::atomic<int> there_{0};
  std::atomic<bool> started_{false};
  std::vector<std::unique_ptr<padded<worker>>> workers_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::optional<run_result> run(workload& what, const run_settings& settings) {
  run_result result;
  crew threads(what, settings);
  threads.start();
  const auto ready = nanoseconds_of(CLOCK_MONOTONIC);
  if (!sleep_until(ready + static_cast<std::uint64_t>(settings.warm_up.count()), settings.interrupted))
    return std::nullopt;
  const auto cpu_start = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const auto start = nanoseconds_of(CLOCK_MONOTONIC);
  threads.measure();
  const bool whole =
      sleep_until(start + static_cast<std::uint64_t>(settings.duration.count()), settings.interrupted);
  const auto end = nanoseconds_of(CLOCK_MONOTONIC);
  const auto cpu_end = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
  threads.finish();
  if (!whole) return std::nullopt;
  result.seconds = seconds_between(start, end);
  result.cpu_seconds = seconds_between(cpu_start, cpu_end);
  result.drain_seconds = seconds_between(end, nanoseconds_of(CLOCK_MONOTONIC));
  threads.collect(result);
  return result;
}

std::uint64_t run_result::total() const noexcept {
  return std::accumulate(operations.begin(), operations.end(), std::uint64_t{0});
}

double run_result::per_second() const noexcept {
  return seconds > 0 ? static_cast<double>(total()) / seconds : 0;
}

double smallest_share(const std::vector<std::uint64_t>& operations) {
  if (operations.empty()) return 1;
  const auto [smallest, largest] = std::minmax_element(operations.begin(), operations.end());
  return *largest == 0 ? 1 : static_cast<double>(*smallest) / static_cast<double>(*largest);
}

}  // namespace hemlock::bench
