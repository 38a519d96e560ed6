#include "cli/output_options.hpp"

#include <fmt/core.h>

#include "report/table.hpp"
#include "report/text.hpp"

namespace hemlock::cli {

void output_options::add_to(CLI::App& command) {
  const auto group = "Output";
  command.add_option("--json", files.json, "Write the results with all samples as JSON (docs/json.md)")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str("-")
      ->group(group);
  command.add_option("--csv", files.csv, "Write one line per sample; - is standard output")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--html", files.html, "Write a page with charts, in one file")
      ->type_name("FILE")
      ->group(group);
  command.add_flag("-q,--quiet", quiet, "No progress on standard error")->group(group);
}

void output_options::publish(const report::results& all) const {
  files.write(all);
  if (!files.take_stdout()) fmt::print("{}", report::text_of(all, report::colour_wanted(stdout)));
  if (!files.html.empty() && files.html != "-" && !quiet)
    fmt::print(stderr, "The report is in {}\n", files.html);
}

}  // namespace hemlock::cli
