// Profiles: every number is tagged, and a file's mistakes are named.
#include "sim/profile.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace hemlock::sim {
namespace {

std::string mistake_in(const std::string& text) {
  const std::string path = testing::TempDir() + "profile.json";
  std::ofstream(path) << text;
  try {
    find_profile(path);
  } catch (const profile_error& error) {
    return error.what();
  }
  return "none";
}

TEST(profiles, name_a_source_for_whatever_is_from_literature) {
  for (const auto& each : built_in_profiles())
    for (std::size_t i = 0; i < parameter_count; ++i) {
      const auto which = static_cast<parameter>(i);
      if (!each.uses(which)) continue;
      EXPECT_FALSE(each.at(which).source.empty()) << each.name << " " << fact_of(which).name;
    }
}

TEST(profiles, have_the_papers_numbers_of_cpus) {
  EXPECT_EQ(find_profile("intel-x5-2").cpus(), 72);
  EXPECT_EQ(find_profile("amd-epyc-7662-2s").cpus(), 256);
  EXPECT_EQ(find_profile("sparc-t7-2").cpus(), 512);
  EXPECT_TRUE(find_profile("sparc-t7-2").cas_only);
}

TEST(profiles, of_a_file_start_from_a_known_one_and_change_it) {
  const std::string path = testing::TempDir() + "mine.json";
  std::ofstream(path) << R"({"based_on": "intel-x5-2", "name": "mine", "sockets": 1, "stores": "tso",
    "times": {"pause": {"value": 40, "from": "literature", "source": "Skylake's longer PAUSE"}}})";
  const profile made = find_profile(path);
  EXPECT_EQ(made.name, "mine");
  EXPECT_EQ(made.cpus(), 36);
  EXPECT_EQ(made.stores, store_policy::tso);
  EXPECT_EQ(made[parameter::pause], 40);
  EXPECT_EQ(made[parameter::load_hit], find_profile("intel-x5-2")[parameter::load_hit]);
}

TEST(profiles, name_what_is_wrong_with_a_file) {
  const auto expect = [](const std::string& text, const std::string& part) {
    const std::string mistake = mistake_in(text);
    EXPECT_NE(mistake.find(part), std::string::npos) << text << "\n" << mistake;
  };
  expect("nonsense", "is not JSON");
  expect("[]", "must be a JSON object");
  expect("{}", "\"sockets\" is missing");
  expect(R"({"based_on": "vax"})", "unknown machine \"vax\"; there are intel-x5-2");
  expect(R"({"based_on": "intel-x5-2", "sokets": 1})", "unknown key \"sokets\"");
  expect(R"({"based_on": "intel-x5-2", "sockets": 0})", "a whole number from 1 to 16");
  expect(R"({"based_on": "intel-x5-2", "protocol": "MSI"})", "one of \"MESI\", \"MESIF\", \"MOESI\"");
  expect(R"({"based_on": "intel-x5-2", "cores_per_socket": 200})", "more than the 256");
  expect(R"({"based_on": "amd-epyc-7662-2s", "cores_per_cluster": 5})", "does not divide the 64 cores");
  expect(R"({"based_on": "intel-x5-2", "times": {"pauze": {}}})", "unknown key \"pauze\"");
  expect(R"({"based_on": "intel-x5-2", "times": {"pause": 3}})", "\"value\", \"from\"");
  expect(R"({"based_on": "intel-x5-2", "times": {"pause": {"value": -1, "from": "fitted"}}})",
         "a number from 0");
  expect(R"({"based_on": "intel-x5-2", "times": {"pause": {"value": 1, "from": "literature"}}})",
         "names no \"source\"");
  expect(R"({"based_on": "intel-x5-2", "times": {"pause": {"value": 1, "from": "rumour"}}})",
         "\"hypothesis\"");
}

TEST(profiles, that_are_unknown_are_answered_with_the_known_ones) {
  try {
    find_profile("cray-1");
    FAIL();
  } catch (const profile_error& error) {
    for (const auto& each : built_in_profiles())
      EXPECT_NE(std::string(error.what()).find(each.name), std::string::npos);
  }
}

}  // namespace
}  // namespace hemlock::sim
