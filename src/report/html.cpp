#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "report/comparison.hpp"
#include "report/statistics.hpp"
#include "report/table.hpp"

namespace hemlock::report {
namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

/// JSON inside a script element: no "<", so that no text in it can end the element.
std::string script_safe(const nlohmann::json& json) {
  std::string safe;
  for (const char c : json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
    safe += c == '<' ? std::string{"\\u003c"} : std::string{c};
  return safe;
}

std::string fact(std::string_view name, const std::string& value) {
  return value.empty() ? "" : fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, escaped(value));
}

std::string machine_card(const results& all) {
  const auto& where = all.where;
  std::string facts = fact("CPU", where.cpu);
  facts += fact("Cores", where.cpus_online == where.cores
                             ? fmt::format("{}", where.cores)
                             : fmt::format("{}, {} hardware threads", where.cores, where.cpus_online));
  facts += fact("CPUs this process may use", fmt::format("{}", where.cpu_budget));
  facts += fact("CPU quota", where.cgroup_quota ? fmt::format("{:.2g} CPUs", *where.cgroup_quota) : "none");
  facts += fact("Kernel", where.kernel);
  facts += fact("C library", where.libc);
  facts += fact("Compiler", where.compiler + (where.build_type.empty() ? "" : ", " + where.build_type) +
                                (where.sanitizer.empty() ? "" : ", -fsanitize=" + where.sanitizer));
  if (where.load_average)
    facts += fact("Load average", fmt::format("{:.2f}", fmt::join(*where.load_average, ", ")));
  if (where.mhz) facts += fact("Frequency", fmt::format("{:.0f} MHz", *where.mhz));
  facts += fact("Governor", where.governor.value_or(""));
  if (where.hypervisor)
    facts += fact("Virtual machine", *where.hypervisor == "unnamed" ? std::string{"yes"} : *where.hypervisor);
  return fmt::format(
      "<section class=\"card\"><h2>Machine and command</h2><dl class=\"facts\">{}</dl><code "
      "class=\"command\">{}</code></section>\n",
      facts, escaped(all.command));
}

std::string warnings_card(const results& all) {
  std::string items;
  if (all.interrupted) items += "<li>Interrupted: this is what was measured until then.</li>";
  for (const auto& [what, remedy] : all.warnings)
    items += fmt::format("<li>{} <span>{}</span></li>", escaped(what), escaped(remedy));
  if (items.empty()) return "";
  return fmt::format("<section class=\"card warnings\"><h2>Read with care</h2><ul>{}</ul></section>\n",
                     items);
}

/// Marks and failures, as numbered notes under the table.
class note_list {
public:
  std::string signs(const point& at) {
    std::set<std::size_t> numbers;
    for (const auto& mark : at.marks) numbers.insert(number_of(mark));
    for (const auto& failure : at.failures) numbers.insert(number_of("A run failed: " + failure));
    return numbers.empty() ? "" : fmt::format("<sup>{}</sup>", fmt::join(numbers, ","));
  }
  std::string list() const {
    std::string items;
    for (const auto& note : notes_) items += fmt::format("<li>{}</li>", escaped(note));
    return items.empty() ? "" : fmt::format("<ol class=\"notes\">{}</ol>", items);
  }

private:
  std::size_t number_of(const std::string& note) {
    const auto found = std::find(notes_.begin(), notes_.end(), note);
    if (found != notes_.end()) return static_cast<std::size_t>(found - notes_.begin()) + 1;
    notes_.push_back(note);
    return notes_.size();
  }
  std::vector<std::string> notes_;
};

std::string table_cell(const experiment& one, const point* at, double best, note_list& notes) {
  if (at == nullptr) return "<td></td>";
  if (at->samples.empty() && at->failures.empty()) return fmt::format("<td>–{}</td>", notes.signs(*at));
  if (at->samples.empty()) return fmt::format("<td class=\"failed\">failed{}</td>", notes.signs(*at));
  const auto numbers = summarise(at->samples);
  if (numbers.count == 1)
    return fmt::format("<td{}>{}{}</td>", numbers.median == best ? " class=\"best\"" : "",
                       short_quantity(numbers.median, one.y.unit), notes.signs(*at));
  return fmt::format("<td{}>{}{}<small>{} … {}</small></td>", numbers.median == best ? " class=\"best\"" : "",
                     short_quantity(numbers.median, one.y.unit), notes.signs(*at),
                     short_quantity(numbers.q1, one.y.unit), short_quantity(numbers.q3, one.y.unit));
}

double best_at(const experiment& one, double x) {
  double best = std::numeric_limits<double>::quiet_NaN();
  if (one.direction == better::neither) return best;
  for (const auto& line : one.series) {
    const auto* at = line.find(x);
    const double middle = at != nullptr ? median(at->samples) : std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(middle)) continue;
    if (std::isnan(best) || (one.direction == better::lower ? middle < best : middle > best)) best = middle;
  }
  return best;
}

std::string table_of(const experiment& one, const std::set<double>& places) {
  note_list notes;
  std::string head = fmt::format("<th>{}</th>", escaped(one.has_labels() ? "" : one.x.name));
  for (const double x : places)
    head += fmt::format("<th>{}</th>", one.has_labels() ? escaped(one.x.labels[static_cast<std::size_t>(x)])
                                                        : plain_number(x));
  const bool ratios = places.size() == 1 && one.find(one.baseline) != nullptr;
  if (ratios) head += fmt::format("<th>relative to {}</th>", escaped(one.baseline));
  std::string body;
  const auto row_of = [&](const series& line, const std::string& ratio) {
    body += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(line.name));
    for (const double x : places) body += table_cell(one, line.find(x), best_at(one, x), notes);
    body += ratio + "</tr>";
  };
  if (places.size() == 1) {
    for (const auto& row : ranking(one, *places.begin()))
      row_of(*row.line, !ratios ? ""
                                : fmt::format("<td>{}</td>", row.is_baseline ? "1"
                                                             : row.has_ratio ? ratio_text(row.against)
                                                                             : ""));
  } else {
    for (const auto& line : one.series) row_of(line, "");
  }
  return fmt::format(
      "<div class=\"scroll\"><table><caption "
      "hidden>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>{}",
      escaped(one.title), head, body, notes.list());
}

std::string section_of(const experiment& one, std::size_t index) {
  std::set<double> places;
  for (const auto& line : one.series)
    for (const auto& at : line.points) places.insert(at.x);
  auto text =
      fmt::format("<section class=\"card\" id=\"experiment-{}\"><h2>{}</h2>", index, escaped(one.title));
  if (!one.shows.empty()) text += fmt::format("<p class=\"shows\">{}</p>", escaped(one.shows));
  if (!one.parameters.empty()) {
    text += "<ul class=\"parameters\">";
    for (const auto& [name, value] : one.parameters)
      text += fmt::format("<li>{} <b>{}</b></li>", escaped(name), escaped(value));
    text += "</ul>";
  }
  if (const auto sentence = verdict(one); !sentence.empty())
    text += fmt::format("<p class=\"verdict\">{}</p>", escaped(sentence));
  if (places.empty()) return text + "<p>Nothing was measured.</p></section>\n";
  text += fmt::format(
      "<div class=\"controls\"></div><div class=\"canvas\"><canvas role=\"img\" aria-label=\"Chart: {}; its "
      "values are in the "
      "table below\"></canvas></div><div class=\"legend\" role=\"group\" aria-label=\"Show or hide "
      "series\"></div>",
      escaped(one.title));
  text += fmt::format(
      "<p class=\"shows\">{}{}.</p>",
      one.exact ? "Exact values" : "Medians, with the middle half of the samples below each",
      one.y.unit.empty() ? "" : fmt::format("; {} in {}", escaped(one.y.name), escaped(one.y.unit)));
  return text + table_of(one, places) + "</section>\n";
}

}  // namespace

std::string html_of(const results& all, std::string_view before) {
  std::string titles;
  for (const auto& one : all.experiments) titles += (titles.empty() ? "" : " · ") + one.title;
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"light\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += fmt::format("<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
                      escaped(titles.empty() ? "Hemlock report" : titles + " – Hemlock"), asset::page_css);
  page += fmt::format(
      "<header class=\"top\"><h1>Hemlock report<small>{}</small></h1><button type=\"button\" "
      "id=\"save\">save data</button>"
      "<button type=\"button\" id=\"theme\">dark</button></header>\n<main>\n",
      escaped(one_line(all.where)));
  page += warnings_card(all);
  page += before;
  for (std::size_t i = 0; i < all.experiments.size(); ++i) page += section_of(all.experiments[i], i);
  page += machine_card(all);
  page += fmt::format(
      "</main>\n<footer>Made by hemlock {}. Everything is in this one file, the samples included.</footer>\n",
      escaped(all.version));
  page += "<script type=\"application/json\" id=\"hemlock-data\">" + script_safe(to_document(all)) +
          "</script>\n";
  page += fmt::format("<script>{}</script>\n<script>{}</script>\n</body>\n</html>\n", asset::chart_js,
                      asset::page_js);
  return page;
}

}  // namespace hemlock::report
