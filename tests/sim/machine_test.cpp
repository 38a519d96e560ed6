// The engine's exact promises: same seed, same history; sleeping is polling; time is what the profile says.
#include <gtest/gtest.h>

#include <map>

#include "sim/mutexbench.hpp"
#include "sim/world.hpp"

namespace hemlock::sim {
namespace {

profile intel() {
  return find_profile("intel-x5-2");
}

mutexbench contended(std::string_view lock, int threads, int rounds = 8) {
  mutexbench what;
  what.lock = lock;
  what.threads = threads;
  what.rounds = rounds;
  what.lasts_at_least = 0;
  return what;
}

TEST(machine, repeats_a_run_bit_for_bit) {
  for (const auto lock : simulated_locks()) {
    const auto once = run(intel(), {.seed = 7}, contended(lock, 12));
    const auto again = run(intel(), {.seed = 7}, contended(lock, 12));
    EXPECT_EQ(once, again) << lock;
  }
}

TEST(machine, gives_another_history_for_another_seed) {
  EXPECT_NE(run(intel(), {.seed = 1}, contended("mcs", 12)).duration,
            run(intel(), {.seed = 2}, contended("mcs", 12)).duration);
}

/// Few cores, so that few threads already are siblings that share a cache.
profile small() {
  profile made = intel();
  made.cores_per_socket = 3;
  return made;
}

class sleeping : public testing::TestWithParam<std::tuple<std::string_view, store_policy, contention>> {};

TEST_P(sleeping, equals_polling_bit_for_bit) {
  const auto [lock, stores, how] = GetParam();
  profile on = small();
  on.stores = stores;
  for (const int threads : {2, 5, 9}) {
    mutexbench what = contended(lock, threads, 5);
    what.how = how;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const auto slept = run(on, {.seed = seed, .sleep = true}, what);
      const auto polled = run(on, {.seed = seed, .sleep = false}, what);
      EXPECT_EQ(slept, polled) << "seed " << seed << ": ended at " << slept.ended << " and " << polled.ended
                               << " ps, operations " << slept.counted.operations << " and "
                               << polled.counted.operations;
    }
  }
}

std::string name_for_test(std::string_view lock) {
  std::string name(lock);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(every_lock, sleeping,
                         testing::Combine(testing::ValuesIn(simulated_locks()),
                                          testing::Values(store_policy::blocking, store_policy::tso,
                                                          store_policy::tso_prefetch),
                                          testing::Values(contention::maximum, contention::moderate)),
                         [](const auto& each) {
                           const auto policy = std::get<1>(each.param);
                           return name_for_test(std::get<0>(each.param)) +
                                  (policy == store_policy::blocking ? "_blocking"
                                   : policy == store_policy::tso    ? "_tso"
                                                                    : "_prefetch") +
                                  (std::get<2>(each.param) == contention::maximum ? "_maximum" : "_moderate");
                         });

TEST(sleeping_on_a_word, counts_every_look_that_polling_would_have_made) {
  // The first thread holds the lock for long: the second makes hundreds of looks.
  mutexbench what = contended("hemlock-naive", 2);
  what.section = from_ns(5000);
  const auto result = run(intel(), {.seed = 1}, what);
  EXPECT_EQ(result, run(intel(), {.seed = 1, .sleep = false}, what));
  EXPECT_GT(result.per_step(result.counted.operations), 500);
}

TEST(parking, comes_after_so_many_looks_though_nothing_happens_to_the_line) {
  mutexbench what = contended("mcs", 3);
  what.section = from_ns(20000);
  what.waiting = wait_style::park;
  const auto slept = run(intel(), {.seed = 1, .sleep = true}, what);
  EXPECT_GT(slept.per_step(slept.counted.parks), 0.9);
  EXPECT_EQ(slept, run(intel(), {.seed = 1, .sleep = false}, what));
}

TEST(a_lock_that_lets_threads_overtake, is_measured_until_that_evens_out) {
  mutexbench what = contended("mutex", 3);
  what.lasts_at_least = from_ns(2e6);
  const auto seen = run(intel(), {.seed = 1}, what);
  EXPECT_GT(seen.handovers, 0U);
  EXPECT_GE(seen.duration, from_ns(2e6));
}

class exclusion : public testing::TestWithParam<std::string_view> {};

TEST_P(exclusion, holds_with_a_timed_section) {
  for (const auto style : {wait_style::spin, wait_style::park}) {
    machine host(intel(), {.seed = 3, .spins_before_parking = 20});
    const auto lock = make_lock(GetParam(), style);
    int inside = 0;
    int entries = 0;
    for (const int where : host.placement(9))
      host.run_on(where, 0, [&] {
        for (int i = 0; i < 20; ++i)
          lock->around([&] {
            EXPECT_EQ(++inside, 1) << GetParam();
            host.compute(from_ns(150));
            --inside;
            ++entries;
          });
      });
    host.run();
    EXPECT_EQ(entries, 180);
  }
}
INSTANTIATE_TEST_SUITE_P(every_lock, exclusion, testing::ValuesIn(simulated_locks()),
                         [](const auto& each) { return name_for_test(each.param); });

/// One-way latency of two CPUs that hand a word to and fro with CAS, as core-to-core latency is measured.
double ping_pong_ns(const profile& on, int a, int b) {
  machine host(on, {.seed = 1});
  auto& word = *new (host.memory().allocate(sizeof(atomic<std::uint64_t>))) atomic<std::uint64_t>(0);
  constexpr int turns = 2000;
  const auto player = [&](std::uint64_t mine, std::uint64_t theirs) {
    for (int i = 0; i < turns; ++i) {
      spinner<false> wait;
      for (std::uint64_t seen = mine;
           !word.compare_exchange_strong(seen, theirs, order::acq_rel<"play">, order::relaxed<"play">);
           seen = mine)
        wait.pause();
    }
  };
  host.run_on(a, 0, [&] { player(0, 1); });
  host.run_on(b, 0, [&] { player(1, 0); });
  host.run();
  return to_ns(host.now()) / (2 * turns);
}

TEST(ping_pong, takes_less_within_a_cluster) {
  const profile on = find_profile("amd-epyc-7662-2s");
  for (const auto& [other, expected] :
       {std::pair(1, on[parameter::own_cluster]), std::pair(on.cores_per_cluster, on[parameter::own_same]),
        std::pair(on.cores_per_socket, on[parameter::own_cross])})
    EXPECT_NEAR(ping_pong_ns(on, 0, other), expected, 0.02 * expected) << other;
}

TEST(ping_pong, takes_the_profiles_latency_within_and_across_sockets) {
  const profile on = intel();
  const double within = on[parameter::own_same];
  const double across = on[parameter::own_cross];
  EXPECT_NEAR(ping_pong_ns(on, 0, 1), within, 0.02 * within);
  EXPECT_NEAR(ping_pong_ns(on, 0, on.cores_per_socket), across, 0.02 * across);
}

/// Mean of a run's figure over seeds.
template <class Figure>
double mean_over_seeds(const profile& on, const mutexbench& what, int seeds, Figure figure) {
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed)
    sum += figure(run(on, {.seed = static_cast<std::uint64_t>(seed)}, what));
  return sum / seeds;
}

TEST(offcore, of_hemlock_with_ctr_is_six_per_contended_acquisition_in_the_plain_model) {
  // SWAP and CAS of Tail; the first CAS of the predecessor's Grant; its store; our CAS that takes; its FAA.
  const double each = mean_over_seeds(intel().plain(), contended("hemlock-ctr", 32), 5,
                                      [](const run_result& result) { return result.offcore(); });
  EXPECT_DOUBLE_EQ(each, 6.0);
}

TEST(offcore, of_hemlock_without_ctr_is_six_with_two_upgrades_in_the_plain_model) {
  // The first look hits: who waits behind whom is frozen, so the copy of last time is still good. The two
  // upgrades, one of them on the way of the hand-over, are what CTR avoids.
  const auto what = contended("hemlock-naive", 32);
  EXPECT_DOUBLE_EQ(
      mean_over_seeds(intel().plain(), what, 5, [](const run_result& result) { return result.offcore(); }),
      6.0);
  EXPECT_DOUBLE_EQ(
      mean_over_seeds(intel().plain(), what, 5,
                      [](const run_result& result) { return result.per_step(result.counted.upgrades); }),
      2.0);
  EXPECT_DOUBLE_EQ(
      mean_over_seeds(intel().plain(), contended("hemlock-ctr", 32), 5,
                      [](const run_result& result) { return result.per_step(result.counted.upgrades); }),
      0.0);
}

TEST(machine, says_who_waits_when_nothing_will_ever_happen) {
  machine host(intel(), {});
  auto& word = *new (host.memory().allocate(sizeof(atomic<int>))) atomic<int>(0);
  host.run_on(0, 0, [&] {
    spinner<false> wait;
    while (word.load(order::acquire<"never">) == 0) wait.pause();
  });
  try {
    host.run();
    FAIL() << "it ended";
  } catch (const deadlock& stuck) {
    EXPECT_NE(std::string(stuck.what()).find("never"), std::string::npos) << stuck.what();
  }
}

}  // namespace
}  // namespace hemlock::sim
