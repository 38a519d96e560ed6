// A machine without latency executes sequentially consistent interleavings; reads in flight; the store buffer.
#include <gtest/gtest.h>

#include <map>

#include "sim/mutexbench.hpp"
#include "sim/world.hpp"

namespace hemlock::sim {
namespace {

profile without_latency() {
  profile made = find_profile("intel-x5-2").plain();
  for (std::size_t i = 0; i < parameter_count; ++i) made.values[i].value = 0;
  made.at(parameter::smt_slowdown).value = 1;
  // Only local steps take time, so that wait loops end.
  made.at(parameter::load_hit).value = 1;
  made.at(parameter::store_commit).value = 1;
  made.at(parameter::rmw_hit).value = 1;
  made.at(parameter::pause).value = 1;
  return made;
}

class zero_latency : public testing::TestWithParam<std::string_view> {};

TEST_P(zero_latency, executes_a_sequentially_consistent_interleaving) {
  mutexbench what;
  what.lock = GetParam();
  what.threads = 4;
  what.rounds = 6;
  what.lasts_at_least = 0;
  trace seen;
  seen.operations_only = true;
  run(without_latency(), {.seed = 5}, what, seen);
  ASSERT_GT(seen.entries.size(), 100U);
  // Replayed one after another in the order of the trace, each operation finds what it found.
  std::map<const void*, std::uint64_t> memory;
  std::size_t checked = 0;
  for (const auto& each : seen.entries) {
    operation replayed = each.done;
    std::uint64_t cell = 0;
    const auto known = memory.find(each.done.address);
    cell = known != memory.end() ? known->second : each.done.before;
    replayed.address = &cell;
    apply(replayed);
    if (each.done.what != operation::kind::store && known != memory.end()) {
      ASSERT_EQ(replayed.before, each.done.before) << each.done.label << " at " << each.time << " ps";
      ++checked;
    }
    memory[each.done.address] = cell;
  }
  EXPECT_GT(checked, 50U);
}

// Locks whose words are on the stack or made anew begin a life that the trace does not show.
INSTANTIATE_TEST_SUITE_P(some_locks, zero_latency,
                         testing::Values("hemlock-naive", "hemlock-ctr", "hemlock-overlap", "hemlock-ah",
                                         "ticket", "mcs", "clh", "tas", "ttas"),
                         [](const auto& each) {
                           std::string name(each.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

struct two_words {
  atomic<std::uint64_t> a{0};
  alignas(128) atomic<std::uint64_t> b{0};
};

TEST(reads, return_the_value_of_when_they_were_served_though_invalidated_in_flight) {
  const profile on = find_profile("intel-x5-2").plain();
  machine host(on, {});
  auto& words = *new (host.memory().allocate(sizeof(two_words))) two_words;
  std::uint64_t first = 9, second = 9;
  picoseconds read_at = 0, written_at = 0;
  // CPU 0 and 1 share the line; 18, across, asks to read; 1 writes while that read is on its way.
  host.run_on(0, 0, [&] { words.a.load(order::acquire<"share">); });
  host.run_on(1, from_ns(300), [&] {
    words.a.load(order::acquire<"share">);
    host.compute_until(from_ns(1010));
    words.a.store(1, order::release<"write">);
    written_at = host.now();
  });
  host.run_on(18, from_ns(1000), [&] {
    first = words.a.load(order::acquire<"look">);
    read_at = host.now();
    host.compute(from_ns(500));
    second = words.a.load(order::acquire<"look">);
  });
  host.run();
  EXPECT_EQ(first, 0U) << "read at " << read_at << ", written at " << written_at;
  EXPECT_EQ(second, 1U);
}

/// Dekker's question: can both see the other's old value? An older store, to a line that nobody has, keeps each
/// flag in its buffer for a while, if there is one.
std::pair<std::uint64_t, std::uint64_t> store_then_load(store_policy policy) {
  profile on = find_profile("intel-x5-2").plain();
  on.stores = policy;
  machine host(on, {});
  auto& words = *new (host.memory().allocate(sizeof(two_words))) two_words;
  auto& older = *new (host.memory().allocate(sizeof(two_words))) two_words;
  std::uint64_t seen_by_0 = 9, seen_by_18 = 9;
  host.run_on(0, 0, [&] {
    words.b.load(order::relaxed<"warm">);
    host.compute_until(from_ns(5000));
    older.a.store(1, order::relaxed<"older">);
    words.a.store(1, order::relaxed<"mine">);
    seen_by_0 = words.b.load(order::relaxed<"theirs">);
  });
  host.run_on(18, from_ns(1000), [&] {
    words.a.load(order::relaxed<"warm">);
    host.compute_until(from_ns(5000));
    older.b.store(1, order::relaxed<"older">);
    words.b.store(1, order::relaxed<"mine">);
    seen_by_18 = words.a.load(order::relaxed<"theirs">);
  });
  host.run();
  return {seen_by_0, seen_by_18};
}

TEST(store_buffer, lets_both_threads_of_dekkers_algorithm_see_the_old_value) {
  EXPECT_EQ(store_then_load(store_policy::tso), (std::pair<std::uint64_t, std::uint64_t>(0, 0)));
}

TEST(blocking_stores, let_at_least_one_thread_of_dekkers_algorithm_see_the_new_value) {
  const auto [a, b] = store_then_load(store_policy::blocking);
  EXPECT_GE(a + b, 1U);
}

TEST(store_buffer, shows_a_cpu_its_own_stores_at_once) {
  profile on = find_profile("intel-x5-2");
  on.stores = store_policy::tso;
  machine host(on, {});
  auto& words = *new (host.memory().allocate(sizeof(two_words))) two_words;
  std::uint64_t seen = 0;
  picoseconds took = 0;
  host.run_on(0, 0, [&] {
    words.a.store(7, order::relaxed<"mine">);
    seen = words.a.load(order::relaxed<"mine">);
    took = host.now();
  });
  host.run();
  EXPECT_EQ(seen, 7U);
  EXPECT_LT(took, from_ns(on[parameter::memory]));
}

TEST(siblings, share_a_cache) {
  machine host(find_profile("intel-x5-2").plain(), {});
  auto& words = *new (host.memory().allocate(sizeof(two_words))) two_words;
  host.run_on(0, 0, [&] { words.a.store(1, order::relaxed<"write">); });
  host.run_on(36, from_ns(1000), [&] { words.a.fetch_add(1, order::relaxed<"write">); });
  host.run();
  EXPECT_EQ(host.counted().offcore(), 1U);
}

TEST(park, sleeps_until_woken_and_not_if_the_word_has_changed) {
  machine host(find_profile("intel-x5-2"), {});
  auto& words = *new (host.memory().allocate(sizeof(two_words))) two_words;
  picoseconds woken = 0;
  host.run_on(0, 0, [&] {
    parking_world::park(words.b, 1);  // it is 0: returns at once
    parking_world::park(words.a, 0);
    woken = host.now();
  });
  host.run_on(1, from_ns(50000), [&] {
    words.a.store(1, order::release<"call">);
    parking_world::unpark_one(&words.a);
  });
  host.run();
  EXPECT_GT(woken, from_ns(50000));
  EXPECT_EQ(host.counted().parks, 1U);
}

}  // namespace
}  // namespace hemlock::sim
