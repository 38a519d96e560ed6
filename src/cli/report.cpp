// hemlock report: a results file again, as a table, a page, SVG files or CSV.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <set>

#include "cli/command.hpp"
#include "cli/profile_views.hpp"
#include "report/outputs.hpp"
#include "report/svg.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace hemlock::cli {
namespace {

struct options {
  std::string input;
  report::outputs files;
  std::string svg_folder;
  profile_view_options profile;
};

bool has_samples(const report::experiment& one) {
  return std::any_of(one.series.begin(), one.series.end(), [](const auto& line) {
    return std::any_of(line.points.begin(), line.points.end(),
                       [](const auto& at) { return !at.samples.empty(); });
  });
}

int report_on(const options& asked, const std::string& command) {
  if (is_profile(asked.input)) {
    if (!asked.files.csv.empty() || !asked.svg_folder.empty())
      throw usage_error{"--csv and --svg are for results, not for profiles"};
    return report_profile(asked.input, asked.profile, asked.files.html, command);
  }
  if (asked.profile.asked())
    throw usage_error{
        fmt::format("{} is not a profile, and the options for profiles are of no use to it", asked.input)};
  const auto all = report::read_results(asked.input);
  asked.files.check();
  asked.files.write(all);
  if (!asked.svg_folder.empty()) {
    report::check_writable(asked.svg_folder + "/chart.svg");
    std::set<std::string> used;
    for (const auto& one : all.experiments) {
      if (!has_samples(one)) {
        fmt::print(stderr, "hemlock report: '{}' has no sample to draw\n", one.name);
        continue;
      }
      auto name = report::svg_name(one);
      for (int i = 2; !used.insert(name).second; ++i) name = fmt::format("{}-{}", i, report::svg_name(one));
      const auto path = asked.svg_folder + '/' + name;
      report::write_svg(one, path);
      fmt::print("{}\n", path);
    }
  }
  const bool only_table = asked.files.html.empty() && asked.files.csv.empty() && asked.svg_folder.empty();
  if (only_table) fmt::print("{}", report::text_of(all, report::colour_wanted(stdout)));
  return success;
}

}  // namespace

void add_report(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand(
      "report", "Show a results file or a profile: as a table, a page with charts, and more.");
  auto asked = std::make_shared<options>();
  command->add_option("FILE", asked->input, "Results that another subcommand wrote with --json, or a profile")
      ->required();
  command
      ->add_option("--html", asked->files.html, "Write a page with charts, in one file; - is standard output")
      ->type_name("FILE");
  command->add_option("--csv", asked->files.csv, "Write one line per sample; - is standard output")
      ->type_name("FILE");
  command
      ->add_option("--svg", asked->svg_folder, "Write an SVG file per chart into this folder (needs gnuplot)")
      ->type_name("FOLDER");
  asked->profile.add_to(*command);
  command->footer("Without --html, --csv or --svg the results are printed as a table.");
  command->callback([asked, &result] {
    try {
      result.code = report_on(*asked, result.command);
    } catch (const report::bad_document& error) {
      fmt::print(stderr, "hemlock report: {}\n", error.what());
      result.code = wrong_usage;
    }
  });
}

}  // namespace hemlock::cli
