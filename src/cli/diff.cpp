// hemlock diff: two results files, row by row; for people, and for CI.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/command.hpp"
#include "cli/profile_views.hpp"
#include "cli/served_locks.hpp"
#include "report/difference.hpp"
#include "report/document.hpp"
#include "report/outputs.hpp"
#include "report/table.hpp"

namespace hemlock::cli {
namespace {

struct options {
  std::string before;
  std::string after;
  std::string fail_if;
  std::string json;
};

nlohmann::json json_of(const report::difference& all, std::optional<double> threshold,
                       const std::string& command) {
  auto json = report::document(command);
  auto& rows = json["rows"] = nlohmann::json::array();
  for (const auto& row : all.rows) {
    nlohmann::json one = {
        {"experiment", row.experiment}, {"series", row.series}, {"x", row.x}, {"unit", row.unit}};
    if (row.failure.empty()) {
      one["before"] = row.before;
      one["after"] = row.after;
      one["ratio"] = std::isfinite(row.ratio) ? nlohmann::json(row.ratio) : nlohmann::json(nullptr);
      one["p_value"] = row.against.p_value;
      one["differs"] = row.against.differs;
      one["worsening"] =
          std::isfinite(row.worsening()) ? nlohmann::json(row.worsening()) : nlohmann::json(nullptr);
    } else {
      one["failure"] = row.failure;
    }
    if (threshold) one["past_threshold"] = report::past(row, *threshold);
    rows.push_back(std::move(one));
  }
  json["only_before"] = all.only_before;
  json["only_after"] = all.only_after;
  json["geometric_mean"] =
      std::isfinite(all.geometric_mean) ? nlohmann::json(all.geometric_mean) : nlohmann::json(nullptr);
  return json;
}

int diff(const options& asked, const std::string& command) {
  std::optional<double> threshold;
  if (!asked.fail_if.empty()) {
    threshold = report::parse_threshold(asked.fail_if);
    if (!threshold) throw usage_error{fmt::format("--fail-if '{}' is not of the form '>5%'", asked.fail_if)};
  }
  report::check_writable(asked.json);
  if (is_profile(asked.before) || is_profile(asked.after))
    return diff_profiles(asked.before, asked.after, threshold, asked.json, command);
  const auto all = report::diff_of(report::read_results(asked.before), report::read_results(asked.after));
  if (asked.json != "-") fmt::print("{}", report::text_of(all, threshold, report::colour_wanted(stdout)));
  if (!asked.json.empty()) report::write_text(asked.json, json_of(all, threshold, command).dump(2) + '\n');
  if (!threshold) return success;
  const auto count = std::count_if(all.rows.begin(), all.rows.end(),
                                   [&](const auto& row) { return report::past(row, *threshold); });
  if (count == 0) return success;
  fmt::print(stderr, "hemlock diff: {} row{} past the threshold {}\n", count, count == 1 ? " is" : "s are",
             asked.fail_if);
  return unexpected_verdict;
}

}  // namespace

void add_diff(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand(
      "diff", "Compare two results files, or two profiles, row by row; can fail a CI run.");
  auto asked = std::make_shared<options>();
  command
      ->add_option("BEFORE", asked->before, "Results that another subcommand wrote with --json, or a profile")
      ->required();
  command->add_option("AFTER", asked->after, "The same, measured later")->required();
  command
      ->add_option("--fail-if", asked->fail_if,
                   "Exit with 1 if a row got worse by more than this, as in '>5%'")
      ->type_name("THRESHOLD");
  command->add_option("--json", asked->json, "Write the rows as JSON; without a file name to standard output")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str("-");
  command->footer(
      "A row counts as worse only if Mann and Whitney's test sees a difference (p < 0.05, corrected for the\n"
      "number of rows), or if there are too few runs for it to see any.");
  command->callback([asked, &result] {
    try {
      result.code = diff(*asked, result.command);
    } catch (const report::bad_document& error) {
      throw usage_error{error.what()};
    }
  });
}

}  // namespace hemlock::cli
