#include "report/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "report/build_info.hpp"
#include "report/document.hpp"
#include "report/statistics.hpp"

namespace hemlock::report {

NLOHMANN_JSON_SERIALIZE_ENUM(scale, {{scale::linear, "linear"}, {scale::logarithmic, "logarithmic"}})
NLOHMANN_JSON_SERIALIZE_ENUM(better, {{better::neither, "neither"},
                                      {better::higher, "higher"},
                                      {better::lower, "lower"}})

namespace {

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json json_of(const summary& what) {
  return {{"count", what.count},
          {"median", number(what.median)},
          {"q1", number(what.q1)},
          {"q3", number(what.q3)},
          {"minimum", number(what.minimum)},
          {"maximum", number(what.maximum)},
          {"confidence", {number(what.confidence.low), number(what.confidence.high)}},
          {"outliers", what.outliers},
          {"noise", name_of(what.verdict)}};
}

nlohmann::json json_of(const axis& one) {
  nlohmann::json json = {{"name", one.name}, {"unit", one.unit}, {"scale", one.kind}};
  if (!one.labels.empty()) json["labels"] = one.labels;
  return json;
}

axis axis_of(const nlohmann::json& json) {
  return {json.at("name"), json.value("unit", ""), json.value("scale", scale::linear),
          json.value("labels", std::vector<std::string>{})};
}

point point_of(const nlohmann::json& json) {
  point one;
  one.x = json.at("x");
  one.samples = json.at("samples").get<std::vector<double>>();
  one.marks = json.value("marks", std::vector<std::string>{});
  one.failures = json.value("failures", std::vector<std::string>{});
  return one;
}

}  // namespace

point& series::at(double x) {
  const auto place = std::lower_bound(points.begin(), points.end(), x,
                                      [](const point& one, double value) { return one.x < value; });
  if (place != points.end() && place->x == x) return *place;
  return *points.insert(place, point{.x = x});
}

const point* series::find(double x) const {
  const auto found = std::find_if(points.begin(), points.end(), [&](const point& one) { return one.x == x; });
  return found == points.end() ? nullptr : &*found;
}

report::series& experiment::in(std::string_view series_name) {
  const auto found =
      std::find_if(series.begin(), series.end(), [&](const auto& one) { return one.name == series_name; });
  if (found != series.end()) return *found;
  return series.emplace_back(report::series{.name = std::string{series_name}});
}

const report::series* experiment::find(std::string_view series_name) const {
  const auto found =
      std::find_if(series.begin(), series.end(), [&](const auto& one) { return one.name == series_name; });
  return found == series.end() ? nullptr : &*found;
}

void to_json(nlohmann::json& json, const experiment& one) {
  json = {{"name", one.name},    {"title", one.title},      {"shows", one.shows}, {"x", json_of(one.x)},
          {"y", json_of(one.y)}, {"better", one.direction}, {"exact", one.exact}, {"baseline", one.baseline}};
  auto& parameters = json["parameters"] = nlohmann::json::array();
  for (const auto& [name, value] : one.parameters) parameters.push_back({{"name", name}, {"value", value}});
  auto& all = json["series"] = nlohmann::json::array();
  for (const auto& line : one.series) {
    nlohmann::json points = nlohmann::json::array();
    for (const auto& at : line.points) {
      nlohmann::json point = {
          {"x", at.x}, {"samples", at.samples}, {"summary", json_of(summarise(at.samples))}};
      if (!at.marks.empty()) point["marks"] = at.marks;
      if (!at.failures.empty()) point["failures"] = at.failures;
      points.push_back(std::move(point));
    }
    all.push_back({{"name", line.name}, {"points", std::move(points)}});
  }
}

void from_json(const nlohmann::json& json, experiment& one) {
  one.name = json.at("name");
  one.title = json.value("title", one.name);
  one.shows = json.value("shows", "");
  one.x = axis_of(json.at("x"));
  one.y = axis_of(json.at("y"));
  one.direction = json.value("better", better::neither);
  one.exact = json.value("exact", false);
  one.baseline = json.value("baseline", "");
  one.parameters.clear();
  for (const auto& parameter : json.value("parameters", nlohmann::json::array()))
    one.parameters.emplace_back(parameter.at("name"), parameter.at("value"));
  one.series.clear();
  for (const auto& line : json.at("series")) {
    auto& added = one.series.emplace_back(series{.name = line.at("name")});
    for (const auto& at : line.at("points")) added.points.push_back(point_of(at));
    std::sort(added.points.begin(), added.points.end(),
              [](const auto& a, const auto& b) { return a.x < b.x; });
    for (const auto& at : added.points)
      if (one.has_labels() && !(at.x >= 0 && at.x < static_cast<double>(one.x.labels.size())))
        throw bad_document{fmt::format("experiment '{}': x = {} has no label", one.name, at.x)};
  }
}

results new_results(std::string command) {
  return {std::string{version}, std::move(command), this_machine(), {}, {}, false};
}

nlohmann::json to_document(const results& all) {
  nlohmann::json warnings = nlohmann::json::array();
  for (const auto& [what, remedy] : all.warnings) warnings.push_back({{"what", what}, {"remedy", remedy}});
  return {{"schema", schema},
          {"version", all.version},
          {"command", all.command},
          {"machine", all.where},
          {"experiments", all.experiments},
          {"warnings", std::move(warnings)},
          {"interrupted", all.interrupted}};
}

results from_document(const nlohmann::json& json) {
  try {
    if (!json.is_object() || !json.contains("schema"))
      throw bad_document{"not a document of hemlock's: no \"schema\""};
    if (json.at("schema") != schema)
      throw bad_document{
          fmt::format("schema {} is not the one this version reads ({})", json.at("schema").dump(), schema)};
    if (!json.contains("experiments")) throw bad_document{"holds no experiments"};
    results all;
    all.version = json.value("version", "");
    all.command = json.value("command", "");
    all.where = json.at("machine").get<machine>();
    all.experiments = json.at("experiments").get<std::vector<experiment>>();
    for (const auto& one : json.value("warnings", nlohmann::json::array()))
      all.warnings.push_back({one.at("what"), one.value("remedy", "")});
    all.interrupted = json.value("interrupted", false);
    return all;
  } catch (const nlohmann::json::exception& error) {
    throw bad_document{error.what()};
  }
}

results read_results(const std::string& path) {
  std::ifstream file{path};
  if (!file) throw bad_document{fmt::format("{}: cannot be read", path)};
  try {
    return from_document(nlohmann::json::parse(file));
  } catch (const nlohmann::json::exception& error) {
    throw bad_document{fmt::format("{}: not JSON ({})", path, error.what())};
  } catch (const bad_document& error) {
    throw bad_document{fmt::format("{}: {}", path, error.what())};
  }
}

}  // namespace hemlock::report
