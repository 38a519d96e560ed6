#include "cli/output_options.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cstdio>
#include <utility>

#include "cli/served_locks.hpp"
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

void output_options::check() const {
  for (const auto& [option, path] :
       {std::pair{"--json", files.json}, {"--csv", files.csv}, {"--html", files.html}}) {
    struct stat what {};
    if (!path.empty() && ::stat(path.c_str(), &what) == 0 && S_ISREG(what.st_mode) &&
        (what.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0)
      throw usage_error{fmt::format(
          "{} {}: that is a program, and would be overwritten; put -- before a program", option, path)};
  }
  files.check();
}

void output_options::publish(const report::results& all) const {
  files.write(all);
  if (!files.take_stdout()) fmt::print("{}", report::text_of(all, report::colour_wanted(stdout)));
  std::fflush(stdout);  // in a pipe, too, the table stands before what is said of it
  if (!files.html.empty() && files.html != "-" && !quiet)
    fmt::print(stderr, "The report is in {}\n", files.html);
}

}  // namespace hemlock::cli
