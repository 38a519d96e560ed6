#include "report/experiment.hpp"

#include <gtest/gtest.h>

#include "report/build_info.hpp"
#include "report/document.hpp"

namespace hemlock::report {
namespace {

results sample_results() {
  auto all = new_results("hemlock bench mutexbench --threads 1,2");
  auto& one = all.experiments.emplace_back();
  one.name = "mutexbench max-contention";
  one.title = "MutexBench, maximum contention";
  one.shows = "How many acquisitions a second all threads make together.";
  one.x = {"threads", "", scale::logarithmic};
  one.y = {"throughput", "acquisitions/s", scale::logarithmic};
  one.baseline = "pthread";
  one.parameters = {{"cs", "empty"}, {"ncs", "empty"}};
  one.in("pthread").at(2).samples = {3, 4};
  one.in("pthread").at(1).samples = {1.5, 2.25};
  one.in("tas").at(2) = {2, {5}, {"pure spin, more threads than CPUs"}, {"timed out"}};
  all.warnings.push_back({"The machine is busy.", "Stop other programs."});
  return all;
}

TEST(experiment, keeps_points_in_the_order_of_x) {
  const auto all = sample_results();
  const auto* line = all.experiments[0].find("pthread");
  ASSERT_NE(line, nullptr);
  ASSERT_EQ(line->points.size(), 2U);
  EXPECT_EQ(line->points[0].x, 1);
  EXPECT_EQ(line->points[1].samples, (std::vector<double>{3, 4}));
  EXPECT_EQ(line->find(3), nullptr);
  EXPECT_EQ(all.experiments[0].find("no such lock"), nullptr);
}

TEST(experiment, comes_back_from_json_as_it_went) {
  const auto went = to_document(sample_results());
  const auto text = went.dump();
  const auto came = from_document(nlohmann::json::parse(text));
  EXPECT_EQ(to_document(came), went);
  EXPECT_EQ(came.experiments[0].parameters[0].first, "cs");
  EXPECT_EQ(came.experiments[0].find("tas")->points[0].failures, std::vector<std::string>{"timed out"});
  EXPECT_EQ(came.warnings, sample_results().warnings);
}

TEST(experiment, has_a_summary_beside_the_samples) {
  const auto json = to_document(sample_results());
  const auto& point = json["experiments"][0]["series"][0]["points"][1];
  EXPECT_EQ(point["summary"]["median"], 3.5);
  EXPECT_EQ(point["summary"]["count"], 2);
}

TEST(document, has_the_envelope) {
  const auto json = document("hemlock list");
  EXPECT_EQ(json.at("schema"), schema);
  EXPECT_EQ(json.at("version"), version);
  EXPECT_EQ(json.at("command"), "hemlock list");
  EXPECT_GE(json.at("machine").at("cpu_budget"), 1);
}

TEST(document, is_refused_with_a_reason_when_it_is_not_one) {
  const auto reason = [](const nlohmann::json& json) -> std::string {
    try {
      from_document(json);
    } catch (const bad_document& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(reason(nlohmann::json::array()).find("no \"schema\""), std::string::npos);
  auto json = to_document(sample_results());
  json["schema"] = 99;
  EXPECT_NE(reason(json).find("schema 99"), std::string::npos);
  json["schema"] = schema;
  json["experiments"][0]["series"][0]["points"][0]["samples"] = "many";
  EXPECT_NE(reason(json), "accepted");
  EXPECT_NE(reason(document("hemlock list")).find("no experiments"), std::string::npos);
}

TEST(command, can_be_typed_again) {
  EXPECT_EQ(shell_quoted({"hemlock", "run", "--lock", "mcs"}), "hemlock run --lock mcs");
  EXPECT_EQ(shell_quoted({"sh", "-c", "echo 'a b'", ""}), R"(sh -c 'echo '\''a b'\''' '')");
}

}  // namespace
}  // namespace hemlock::report
