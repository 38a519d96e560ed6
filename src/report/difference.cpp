#include "report/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "report/rank_test.hpp"
#include "report/table.hpp"

namespace hemlock::report {
namespace {

const experiment* find(const results& all, const std::string& name) {
  const auto found = std::find_if(all.experiments.begin(), all.experiments.end(),
                                  [&](const auto& one) { return one.name == name; });
  return found == all.experiments.end() ? nullptr : &*found;
}

std::string x_text(const experiment& one, double x) {
  return one.has_labels() ? one.x.labels[static_cast<std::size_t>(x)] : plain_number(x);
}

std::string row_name(const experiment& one, const series& line, double x) {
  return fmt::format("{}, {}, {}", one.name, line.name, x_text(one, x));
}

/// The same x in another experiment: by its label where it has one, since indices may differ.
const point* same_point(const experiment& from, double x, const experiment& in, const series& line) {
  if (!from.has_labels() || !in.has_labels())
    return from.has_labels() == in.has_labels() ? line.find(x) : nullptr;
  const auto& label = from.x.labels[static_cast<std::size_t>(x)];
  const auto found = std::find(in.x.labels.begin(), in.x.labels.end(), label);
  return found == in.x.labels.end() ? nullptr : line.find(static_cast<double>(found - in.x.labels.begin()));
}

const point* counterpart(const experiment& one, const series& line, double x, const results& other) {
  const auto* there = find(other, one.name);
  const auto* same_line = there == nullptr ? nullptr : there->find(line.name);
  return same_line == nullptr ? nullptr : same_point(one, x, *there, *same_line);
}

difference_row row_of(const experiment& one, const series& line, const point& before, const point& after) {
  difference_row row{.experiment = one.name,
                     .series = line.name,
                     .x = x_text(one, before.x),
                     .unit = one.y.unit,
                     .direction = one.direction};
  if (after.samples.empty()) {
    row.failure = after.failures.empty() ? "not measured" : after.failures.front();
    return row;
  }
  row.before = median(before.samples);
  row.after = median(after.samples);
  row.ratio = row.before == row.after ? 1 : row.after / row.before;
  row.against = compare(after.samples, before.samples, one.direction);
  if (row.before == row.after) row.against.ratio = 1;
  row.enough = enough_to_tell(before.samples.size(), after.samples.size());
  if (one.exact) {
    row.against.p_value = row.before == row.after ? 1 : 0;
    row.against.differs = row.before != row.after;
  }
  return row;
}

}  // namespace

double difference_row::worsening() const {
  if (direction == better::neither) return std::abs(ratio - 1);
  return direction == better::higher ? 1 - ratio : ratio - 1;
}

difference diff_of(const results& before, const results& after) {
  difference all;
  for (const auto& one : before.experiments) {
    for (const auto& line : one.series) {
      for (const auto& at : line.points) {
        const auto* other = counterpart(one, line, at.x, after);
        if (other == nullptr)
          all.only_before.push_back(row_name(one, line, at.x));
        else if (!at.samples.empty())
          all.rows.push_back(row_of(one, line, at, *other));
        else if (!other->samples.empty())
          all.only_after.push_back(row_name(one, line, at.x));
      }
    }
  }
  for (const auto& one : after.experiments)
    for (const auto& line : one.series)
      for (const auto& at : line.points)
        if (counterpart(one, line, at.x, before) == nullptr)
          all.only_after.push_back(row_name(one, line, at.x));

  std::vector<double> p_values, ratios;
  for (const auto& row : all.rows) {
    p_values.push_back(row.against.p_value);
    // What was or became nothing has no ratio; its row says so, and the mean is over the others.
    const double ratio = row.against.ratio;
    if (row.failure.empty() && row.direction != better::neither && std::isfinite(ratio) && ratio > 0)
      ratios.push_back(ratio);
  }
  const auto corrected = holm(p_values);
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    all.rows[i].against.p_value = corrected[i];
    all.rows[i].against.differs = all.rows[i].against.differs && corrected[i] < significance;
  }
  all.geometric_mean = geometric_mean(ratios);
  all.rows_in_mean = ratios.size();
  return all;
}

std::optional<double> parse_threshold(const std::string& text) {
  const auto begin = text.find_first_not_of("> ");
  if (begin == std::string::npos || text.find('>', begin) != std::string::npos) return std::nullopt;
  const auto number = text.substr(begin);
  char* end = nullptr;
  const double percent = std::strtod(number.c_str(), &end);
  if (end == number.c_str() || std::string_view{end} != "%" || !(percent >= 0) || !std::isfinite(percent))
    return std::nullopt;
  return percent / 100;
}

bool past(const difference_row& row, double threshold) {
  if (!row.failure.empty()) return true;
  return row.worsening() > threshold && (row.against.differs || !row.enough);
}

std::string text_of(const difference& all, std::optional<double> threshold, bool colour) {
  table text{{{"", align::left},
              {"", align::left},
              {""},
              {"before"},
              {"after"},
              {"after/before"},
              {"p"},
              {"", align::left}}};
  std::string last;
  for (const auto& row : all.rows) {
    const auto name = row.experiment == last ? "" : row.experiment;
    last = row.experiment;
    if (!row.failure.empty()) {
      text.row({name, row.series, row.x, "", {"failed", tone::bad}, "", "", {row.failure, tone::bad}});
      continue;
    }
    const bool better_now = row.direction != better::neither && row.against.ratio > 1;
    const auto how = !row.against.differs               ? tone::faint
                     : better_now                       ? tone::good
                     : row.direction == better::neither ? tone::strong
                                                        : tone::bad;
    std::string word = !row.enough && !row.against.differs ? "too few runs to tell"
                       : !row.against.differs              ? "no difference seen"
                       : row.direction == better::neither  ? "differs"
                       : better_now                        ? "better"
                                                           : "worse";
    if (threshold && past(row, *threshold)) word += ", past the threshold";
    text.row({name,
              row.series,
              row.x,
              quantity(row.before, row.unit),
              quantity(row.after, row.unit),
              {std::isfinite(row.ratio) ? fmt::format("{:.3f}", row.ratio) : "–", how},
              fmt::format("{:.3f}", row.against.p_value),
              {word, how}});
  }
  std::string written = all.rows.empty() ? "No row is in both files.\n" : text.text(colour);
  for (const auto& name : all.only_before) written += fmt::format("only before: {}\n", name);
  for (const auto& name : all.only_after) written += fmt::format("only after: {}\n", name);
  if (std::isfinite(all.geometric_mean))
    written += painted(fmt::format("\nAll in all: {:.3f} times as good (geometric mean over {} rows).\n",
                                   all.geometric_mean, all.rows_in_mean),
                       tone::strong, colour);
  return written;
}

}  // namespace hemlock::report
