#include "bench/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "bench/drivers.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native_rcu.hpp"

namespace hemlock::bench {
namespace {

std::vector<std::string> labels(const std::vector<contender>& some) {
  std::vector<std::string> all;
  for (const auto& one : some) all.push_back(label(one));
  return all;
}

std::string complaint(const std::vector<std::string>& locks, const std::vector<std::string>& waits) {
  try {
    choose(locks, waits);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(catalogue, has_every_lock_of_the_registry_in_every_policy_it_knows) {
  int missing = 0;
  for_each_lock<native_rcu<waiting::automatic>>([&]<class Lock>() {
    const std::string name(Lock::traits.name);
    if (name == "pthread") return;  // waits in its own way
    for (const std::string wait : {"auto", "spin", "yield", "park"}) {
      if (wait == "park" && !Lock::traits.parks) continue;
      const auto& all = all_contenders();
      if (std::none_of(all.begin(), all.end(), [&](auto& c) { return c.name == name && c.wait == wait; })) {
        ADD_FAILURE() << name << " with " << wait << " cannot be measured";
        ++missing;
      }
    }
  });
  EXPECT_EQ(missing, 0);
}

TEST(catalogue, labels_name_the_policy_unless_it_is_the_default) {
  EXPECT_EQ(labels(choose({"mcs"}, {"auto", "spin"})), (std::vector<std::string>{"mcs", "mcs/spin"}));
}

TEST(catalogue, a_lock_asked_for_twice_is_there_once) {
  EXPECT_EQ(labels(choose({"mcs", "mcs"}, {"spin", "spin"})), (std::vector<std::string>{"mcs/spin"}));
  EXPECT_EQ(labels(choose({"std::mutex"}, {"auto", "spin"})), (std::vector<std::string>{"std::mutex"}));
}

TEST(catalogue, the_papers_five_are_a_group) {
  EXPECT_EQ(choose({"paper"}, {"spin"}).size(), 5U);
}

TEST(catalogue, an_unknown_lock_is_refused_with_the_known_ones) {
  const auto text = complaint({"hemlok"}, {"auto"});
  EXPECT_NE(text.find("'hemlok'"), std::string::npos) << text;
  EXPECT_NE(text.find("hemlock-ctr"), std::string::npos) << text;
  EXPECT_NE(text.find("std::mutex"), std::string::npos) << text;
}

TEST(catalogue, a_policy_the_lock_lacks_is_refused_with_those_it_has) {
  const auto text = complaint({"ticket"}, {"park"});
  EXPECT_NE(text.find("auto, spin, yield"), std::string::npos) << text;
}

TEST(catalogue, of_a_group_those_without_the_policy_stay_away) {
  const auto parking = labels(choose({"paper"}, {"park"}));
  EXPECT_EQ(parking, (std::vector<std::string>{"mcs/park", "clh/park"}));
}

TEST(catalogue, an_unknown_policy_is_refused_with_the_known_ones) {
  EXPECT_NE(complaint({"mcs"}, {"doze"}).find("auto, spin, yield, park"), std::string::npos);
}

TEST(catalogue, only_what_never_gives_the_cpu_away_is_called_pure_spin) {
  EXPECT_TRUE(choose({"mcs"}, {"spin"}).front().pure_spin);
  EXPECT_FALSE(choose({"mcs"}, {"yield"}).front().pure_spin);
  EXPECT_FALSE(choose({"std::mutex"}, {"spin"}).front().pure_spin);
  EXPECT_FALSE(choose({"pthread"}, {"spin"}).front().pure_spin);
}

TEST(presets, each_names_a_benchmark_that_exists_and_can_be_understood) {
  EXPECT_FALSE(all_presets().empty());
  for (const auto& preset : all_presets()) {
    if (preset.driver == leveldb_name)
      continue;  // its locks are the preload library's; see tests/cli/bench.bats
    const auto& driver = find_driver(preset.driver);
    const auto how =
        understand(with_defaults(preset.values, driver.defaults), driver.options, [] { return false; });
    EXPECT_FALSE(driver.options.locks && how.locks.empty()) << preset.name;
  }
}

TEST(presets, moderate_contention_has_the_papers_sections) {
  const auto& preset = find_preset("moderate-contention");
  EXPECT_EQ(preset.values.critical, "5");
  EXPECT_EQ(preset.values.other, "uniform:400");
  EXPECT_EQ(preset.values.runs, 7);
  EXPECT_EQ(preset.values.duration, "10s");
}

TEST(presets, what_the_user_types_wins) {
  request typed;
  typed.runs = 2;
  const auto both = with_defaults(typed, find_preset("max-contention").values);
  EXPECT_EQ(both.runs, 2);
  EXPECT_EQ(both.locks, "paper");
}

TEST(presets, an_unknown_one_is_refused_with_the_known_ones) {
  try {
    find_preset("fast");
    FAIL() << "'fast' was understood";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("multi-waiting"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hemlock::bench
