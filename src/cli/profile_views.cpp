#include "cli/profile_views.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "profile/difference.hpp"
#include "profile/views.hpp"
#include "report/outputs.hpp"
#include "report/table.hpp"

namespace hemlock::cli {
namespace {

profile::order_by order_of(const std::string& name) {
  if (name == "hold") return profile::order_by::hold;
  if (name == "contention") return profile::order_by::contention;
  return profile::order_by::wait;
}

profile::profile loaded(const std::string& path, profile::grouping by_what, profile::order_by order) {
  try {
    return profile::load(path, by_what, order);
  } catch (const profile::bad_profile& error) {
    throw usage_error{error.what()};
  }
}

}  // namespace

bool is_profile(const std::string& path) {
  return profile::is_profile(path);
}

void profile_view_options::add_to(CLI::App& command) {
  const auto group_name = "For profiles";
  command.add_option("--top", top, "Show so many locks")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->group(group_name);
  command.add_option("--by", by, "What counts: wait, hold or contention")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"wait", "hold", "contention"}))
      ->group(group_name);
  command.add_option("--group", group, "A row per lock, or per site where locks are first taken")
      ->type_name("lock|site")
      ->check(CLI::IsMember({"lock", "site"}))
      ->group(group_name);
  command.add_option("--json", json, "Write all of it as JSON; without a file name to standard output")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str("-")
      ->group(group_name);
  command.add_option("--folded", folded, "Write collapsed stacks for a flame graph; - is standard output")
      ->type_name("FILE")
      ->group(group_name);
  command.add_option("--dot", dot, "Write the lock order for Graphviz; - is standard output")
      ->type_name("FILE")
      ->group(group_name);
}

bool profile_view_options::asked() const {
  const profile_view_options usual;
  return top != usual.top || by != usual.by || group != usual.group || !json.empty() || !folded.empty() ||
         !dot.empty();
}

int report_profile(const std::string& path, const profile_view_options& asked, const std::string& html,
                   const std::string& command) {
  const auto order = order_of(asked.by);
  for (const auto& file : {asked.json, asked.folded, asked.dot, html}) report::check_writable(file);
  const auto all =
      loaded(path, asked.group == "site" ? profile::grouping::site : profile::grouping::lock, order);
  profile::view_options options;
  options.top = static_cast<std::size_t>(asked.top);
  options.order = order;
  options.colour = report::colour_wanted(stdout);
  options.path = path;
  if (!asked.json.empty())
    report::write_text(
        asked.json,
        profile::json_of(all, command).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
  report::write_text(asked.folded, profile::folded_of(all, order));
  report::write_text(asked.dot, profile::dot_of(all));
  report::write_text(html, profile::html_of(all, options));
  if (asked.json.empty() && asked.folded.empty() && asked.dot.empty() && html.empty())
    fmt::print("{}", profile::text_of(all, options));
  return success;
}

int diff_profiles(const std::string& before, const std::string& after, std::optional<double> threshold,
                  const std::string& json, const std::string& command) {
  for (const auto& path : {before, after})
    if (!is_profile(path))
      throw usage_error{
          fmt::format("{} is not a profile, and the other file is: they cannot be compared", path)};
  const auto was = loaded(before, profile::grouping::site, profile::order_by::wait);
  const auto is = loaded(after, profile::grouping::site, profile::order_by::wait);
  const auto found = profile::compare(was, is);
  if (json != "-") fmt::print("{}", profile::text_of(found, was, is, 20, report::colour_wanted(stdout)));
  if (!json.empty())
    report::write_text(json, profile::json_of(found, was, is, command)
                                     .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                                 '\n');
  if (!threshold || found.wait_ratio <= 1 + *threshold) return success;
  fmt::print(stderr, "hemlock diff: waiting per acquisition is past the threshold\n");
  return unexpected_verdict;
}

}  // namespace hemlock::cli
