// The explorer's own promises: bounds, symmetry, wait loops under seq_cst, and what the claims catch.
#include "check/explorer.hpp"

#include <gtest/gtest.h>

#include <string>

#include "check/runner.hpp"
#include "check/world.hpp"

using namespace hemlock::check;
namespace order = hemlock::order;

namespace {

const check_case& find(const std::string& name) {
  for (const auto& each : all_cases())
    if (each.name() == name) return each;
  throw std::invalid_argument(name);
}

exploration explore_case(const std::string& name, settings how) {
  return explore(*find(name).make(), how);
}

/// Peterson's algorithm for two threads. `Order` is that of all its operations.
template <std::memory_order Order>
class peterson final : public program {
  using world = checked<false>;
  static constexpr hemlock::labelled_order how{Order, "peterson"};
  static constexpr hemlock::labelled_order read{
      Order == std::memory_order_acq_rel ? std::memory_order_acquire : Order, "peterson"};
  static constexpr hemlock::labelled_order write{
      Order == std::memory_order_acq_rel ? std::memory_order_release : Order, "peterson"};
  struct shared {
    world::atomic<int> wants[2];
    world::atomic<int> turn;
    world::plain<int> inside{0};
  };

public:
  [[nodiscard]] unsigned threads() const override { return 2; }
  void make() override { shared_ = world::create<shared>(); }
  void run(unsigned thread) override {
    const unsigned other = 1 - thread;
    shared_->wants[thread].store(1, write);
    shared_->turn.store(static_cast<int>(other), write);
    {
      world::spinner wait;
      while (shared_->wants[other].load(read) == 1 && shared_->turn.load(read) == static_cast<int>(other))
        wait.pause();
    }
    shared_->inside = shared_->inside + 1;
    shared_->wants[thread].store(0, write);
  }
  std::string finish() override { return shared_->inside == 2 ? "" : "somebody was not inside"; }

private:
  shared* shared_ = nullptr;
};

template <std::memory_order Order>
exploration explore_peterson() {
  peterson<Order> one;
  return explore(one, settings{});
}

}  // namespace

TEST(explorer, petersons_algorithm_needs_seq_cst) {
  const auto sound = explore_peterson<std::memory_order_seq_cst>();
  EXPECT_FALSE(sound.wrong) << sound.wrong.text;
  EXPECT_TRUE(sound.complete);
  EXPECT_EQ(explore_peterson<std::memory_order_acq_rel>().wrong.kind, violation_kind::data_race);
  EXPECT_EQ(explore_peterson<std::memory_order_relaxed>().wrong.kind, violation_kind::data_race);
}

TEST(explorer, a_bound_on_preemptions_that_is_never_reached_cuts_nothing) {
  for (const char* name : {"mcs/park/one-lock/1+1+1", "hemlock-ctr/spin/one-lock/1+1+1"}) {
    settings how = find(name).how;
    const auto free = explore_case(name, how);
    how.max_preemptions = 100;
    const auto bounded = explore_case(name, how);
    EXPECT_EQ(free.outcomes, bounded.outcomes);
    EXPECT_GE(bounded.states, free.states) << name << ": the number of preemptions tells states apart";
    EXPECT_FALSE(bounded.wrong);
  }
}

TEST(explorer, each_preemption_more_reaches_more) {
  settings how = find("mcs/park/one-lock/1+1+1").how;
  std::uint64_t before = 0;
  for (int bound = 0; bound <= 3; ++bound) {
    how.max_preemptions = bound;
    const auto found = explore_case("mcs/park/one-lock/1+1+1", how);
    EXPECT_FALSE(found.wrong);
    EXPECT_GT(found.states, before) << bound;
    before = found.states;
  }
  EXPECT_GT(before, 1000U);
}

TEST(explorer, a_race_that_needs_one_preemption_is_found_with_one_and_not_with_none) {
  // Two threads that look, then write: only a switch between the two makes them collide.
  class lost_update final : public program {
    struct shared {
      checked<false>::atomic<int> count;
    };

  public:
    [[nodiscard]] unsigned threads() const override { return 2; }
    void make() override { shared_ = checked<false>::create<shared>(); }
    void run(unsigned) override {
      const int old = shared_->count.fetch_add(0, order::relaxed<"look">);
      shared_->count.exchange(old + 1, order::relaxed<"write">);
    }
    std::string finish() override {
      return shared_->count.load(order::relaxed<"end">) == 2 ? "" : "an update is lost";
    }

  private:
    shared* shared_ = nullptr;
  };
  settings how;
  for (int bound = 0; bound <= 1; ++bound) {
    how.max_preemptions = bound;
    lost_update one;
    EXPECT_EQ(explore(one, how).wrong.kind, bound == 0 ? violation_kind::none : violation_kind::wrong_result);
  }
}

TEST(explorer, threads_that_do_the_same_are_explored_once_and_nothing_is_lost) {
  for (const char* name : {"hemlock-ctr/spin/one-lock/1+1+1", "mcs/park/one-lock/1+1+1",
                           "hemlock-naive/spin/nested/1+1+1", "clh/spin/destroy/1+1+1"}) {
    settings how = find(name).how;
    const auto alike = explore_case(name, how);
    how.symmetric = false;
    const auto apart = explore_case(name, how);
    EXPECT_EQ(alike.wrong.kind, apart.wrong.kind) << name;
    EXPECT_LT(alike.states, apart.states) << name;
    EXPECT_GE(6 * alike.states, apart.states) << name << ": three threads change places in six ways";
  }
}

TEST(explorer, symmetry_does_not_hide_a_violation) {
  settings how = find("ticket/spin/one-lock/1+1+1").how;
  how.changes.add({"serve", mutation::order, std::memory_order_relaxed, 0});
  EXPECT_EQ(explore_case("ticket/spin/one-lock/1+1+1", how).wrong.kind, violation_kind::data_race);
  how.symmetric = false;
  EXPECT_EQ(explore_case("ticket/spin/one-lock/1+1+1", how).wrong.kind, violation_kind::data_race);
}

TEST(explorer, a_limit_on_states_is_reported_as_one) {
  settings how = find("mcs/spin/one-lock/2+2").how;
  how.max_states = 100;
  const auto cut = explore_case("mcs/spin/one-lock/2+2", how);
  EXPECT_FALSE(cut.complete);
  EXPECT_LE(cut.states, 100U);
}
