#include "bench/crew.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace hemlock::bench {
namespace {

using namespace std::chrono_literals;

/// Counts its steps, all of them and those in the measuring phase.
class counting final : public workload {
public:
  void work(worker& me) override {
    ++arrived;
    repeat(me, [&] {
      ++steps;
      std::this_thread::yield();
    });
  }
  void stop() override { ++stops; }

  std::atomic<std::uint64_t> steps{0};
  std::atomic<int> arrived{0};
  int stops = 0;
};

TEST(crew, every_thread_works_and_is_counted) {
  counting what;
  const auto result = run(what, {.threads = 5, .warm_up = 0ms, .duration = 30ms});
  ASSERT_TRUE(result);
  EXPECT_EQ(what.arrived, 5);
  EXPECT_EQ(result->operations.size(), 5U);
  EXPECT_GT(result->total(), 0U);
  EXPECT_GE(result->seconds, 0.03);
  EXPECT_EQ(what.stops, 1);
}

TEST(crew, the_warm_up_is_not_counted) {
  counting what;
  const auto result = run(what, {.threads = 1, .warm_up = 60ms, .duration = 3ms});
  ASSERT_TRUE(result);
  EXPECT_LT(result->total(), what.steps / 2);
}

TEST(crew, a_step_that_ends_too_late_is_not_counted) {
  struct slow final : workload {
    void work(worker& me) override {
      repeat(me, [&] { std::this_thread::sleep_for(50ms); });
    }
  } what;
  const auto result = run(what, {.threads = 3, .warm_up = 0ms, .duration = 5ms});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->total(), 0U);
}

TEST(crew, a_signal_ends_a_long_run_at_once_without_a_result) {
  static std::atomic<bool> came{false};
  struct sigaction before, handler{};
  handler.sa_handler = [](int) { came = true; };
  ::sigaction(SIGUSR1, &handler, &before);
  // Sent again and again, since one that comes before the run sleeps would be missed.
  std::atomic<bool> ended{false};
  const pthread_t measurer = ::pthread_self();
  std::thread sender([&] {
    while (!ended) {
      ::pthread_kill(measurer, SIGUSR1);
      std::this_thread::sleep_for(5ms);
    }
  });
  counting what;
  const auto start = std::chrono::steady_clock::now();
  const auto result =
      run(what, {.threads = 2, .warm_up = 0ms, .duration = 60s, .interrupted = [] { return came.load(); }});
  ended = true;
  sender.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_FALSE(result);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST(crew, shares_tell_even_from_starved) {
  EXPECT_DOUBLE_EQ(smallest_share({10, 10, 10}), 1);
  EXPECT_DOUBLE_EQ(smallest_share({5, 10}), 0.5);
  EXPECT_DOUBLE_EQ(smallest_share({0, 10}), 0);
  EXPECT_DOUBLE_EQ(smallest_share({}), 1);
}

}  // namespace
}  // namespace hemlock::bench
