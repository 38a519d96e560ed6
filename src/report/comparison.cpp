#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "report/rank_test.hpp"
#include "report/table.hpp"

namespace hemlock::report {
namespace {

bool leaves_one_out(const interval& range) {
  return range.low > 1 || range.high < 1;
}

/// " at 8 threads", " for wall time", or nothing where there is one x only and it has no name.
std::string place_text(const experiment& one, double x) {
  if (one.has_labels())
    return one.x.labels.size() == 1 ? "" : fmt::format(" for {}", one.x.labels[static_cast<std::size_t>(x)]);
  return one.x.name.empty() ? "" : fmt::format(" at {} {}", plain_number(x), one.x.name);
}

bool is_a_time(const experiment& one) {
  return one.direction == better::lower && (one.y.name == "time" || one.y.name == "latency");
}

/// "mutex is 1.21 ± 0.03 times as fast as native", "mutex has 0.80 ± 0.02 times the memory of native".
std::string sentence(const experiment& one, const std::string& winner, const comparison& against,
                     const std::string& loser, bool with_interval) {
  auto shown = against;
  // A figure of which less is better is told as it is; only times are turned into speed.
  if (one.direction == better::lower && !is_a_time(one))
    shown = {1 / against.ratio,
             {1 / against.confidence.high, 1 / against.confidence.low},
             against.p_value,
             against.differs};
  const auto ratio = with_interval ? ratio_text(shown) : fmt::format("{:.2f}", shown.ratio);
  if (is_a_time(one)) return fmt::format("{} is {} times as fast as {}", winner, ratio, loser);
  return fmt::format("{} has {} times the {} of {}", winner, ratio, one.y.name, loser);
}

}  // namespace

comparison compare(std::span<const double> one, std::span<const double> other, better direction,
                   std::uint64_t seed) {
  const bool inverse = direction == better::lower;
  const auto above = inverse ? other : one;
  const auto below = inverse ? one : other;
  comparison result;
  result.ratio = median(above) / median(below);
  result.confidence = bootstrap_ratio(above, below, seed);
  result.p_value = mann_whitney(one, other).p_value;
  result.differs = result.p_value < significance && leaves_one_out(result.confidence);
  return result;
}

bool enough_to_tell(std::size_t one, std::size_t other) {
  // The smallest possible two-sided p-value is 2 / C(n + m, n).
  double arrangements = 1;
  for (std::size_t i = 1; i <= one; ++i)
    arrangements *= static_cast<double>(other + i) / static_cast<double>(i);
  return one > 0 && other > 0 && 2 / arrangements < significance;
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return p_values[a] < p_values[b]; });
  std::vector<double> corrected(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    largest = std::max(largest, std::min(1.0, left * p_values[order[i]]));
    corrected[order[i]] = largest;
  }
  return corrected;
}

std::string ratio_text(const comparison& what) {
  if (!std::isfinite(what.ratio) || what.ratio == 0) return "–";
  const double reach = std::max(what.confidence.high - what.ratio, what.ratio - what.confidence.low);
  if (!std::isfinite(reach)) return fmt::format("{:.2f}", what.ratio);  // among the samples are zeros
  const int digits = reach < 0.005 || what.ratio < 0.1 ? 3 : what.ratio >= 100 ? 0 : what.ratio >= 10 ? 1 : 2;
  // "1.0 ± 7.1" would say that the ratio may be below zero.
  if (reach > 0.5 * what.ratio)
    return fmt::format("{:.{}f} ({:.{}f} … {:.{}f})", what.ratio, digits, what.confidence.low, digits,
                       what.confidence.high, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", what.ratio, digits, reach, digits);
}

std::vector<ranked_row> ranking(const experiment& one, double x) {
  std::vector<ranked_row> rows;
  for (const auto& line : one.series)
    if (const auto* at = line.find(x)) rows.push_back({&line, at, summarise(at->samples), {}, false, false});
  const auto* base = one.baseline.empty() ? nullptr : one.find(one.baseline);
  const auto* base_point = base != nullptr ? base->find(x) : nullptr;
  std::vector<double> p_values;
  std::vector<ranked_row*> compared;
  for (auto& row : rows) {
    row.is_baseline = base != nullptr && row.line == base;
    if (base_point == nullptr || base_point->samples.empty() || row.at->samples.empty() || row.is_baseline)
      continue;
    row.against = compare(row.at->samples, base_point->samples, one.direction);
    row.has_ratio = true;
    p_values.push_back(row.against.p_value);
    compared.push_back(&row);
  }
  const auto corrected = holm(p_values);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    compared[i]->against.p_value = corrected[i];
    compared[i]->against.differs = compared[i]->against.differs && corrected[i] < significance;
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const ranked_row& a, const ranked_row& b) {
    if (a.at->samples.empty() || b.at->samples.empty())
      return !a.at->samples.empty() && b.at->samples.empty();
    return one.direction == better::lower ? a.numbers.median < b.numbers.median
                                          : a.numbers.median > b.numbers.median;
  });
  return rows;
}

std::string verdict(const experiment& one, double x) {
  auto rows = ranking(one, x);
  std::erase_if(rows, [](const ranked_row& row) { return row.at->samples.empty(); });
  if (rows.empty() || one.direction == better::neither) return "";
  const auto place = place_text(one, x);
  if (rows.size() == 1)
    return fmt::format("{}{}: {}, with nothing to compare it to.", rows[0].line->name, place,
                       quantity(rows[0].numbers.median, one.y.unit));
  // Against the baseline where there is one; if the baseline itself is the best, against the next.
  const auto* best = &rows[0];
  const auto* other = &rows[1];
  if (!best->is_baseline)
    for (const auto& row : rows)
      if (row.is_baseline) other = &row;
  auto against =
      best->has_ratio ? best->against : compare(best->at->samples, other->at->samples, one.direction);
  const auto& winner = best->line->name;
  const auto& loser = other->line->name;
  if (best->numbers.median == other->numbers.median && best->numbers.median == 0)
    return fmt::format("{} and {} are equal{}: {}.", winner, loser, place, quantity(0, one.y.unit));
  // To nothing there is no ratio.
  if (!std::isfinite(against.ratio) || against.ratio == 0)
    return fmt::format("{} has {}{}, where {} has {}.", winner, quantity(best->numbers.median, one.y.unit),
                       place, loser, quantity(other->numbers.median, one.y.unit));
  if (one.exact) {
    if (against.ratio == 1) return fmt::format("{} and {} are equal{}.", winner, loser, place);
    return sentence(one, winner, against, loser, false) + place + '.';
  }
  if (other->has_ratio && best->is_baseline) against.p_value = other->against.p_value;
  if (!enough_to_tell(best->at->samples.size(), other->at->samples.size()))
    return sentence(one, winner, against, loser, false) + place +
           ", but so few runs cannot show a difference: use at least 4.";
  if (!(against.differs && against.p_value < significance))
    return fmt::format("No difference can be seen between {} and {}{}.", winner, loser, place);
  return sentence(one, winner, against, loser, true) + place + '.';
}

std::string verdict(const experiment& one) {
  std::set<double> places;
  for (const auto& line : one.series)
    for (const auto& at : line.points)
      if (!at.samples.empty()) places.insert(at.x);
  if (places.empty()) return "";
  const auto count_at = [&](double x) {
    return std::count_if(one.series.begin(), one.series.end(), [&](const series& line) {
      const auto* at = line.find(x);
      return at != nullptr && !at->samples.empty();
    });
  };
  std::ptrdiff_t most = 0;
  for (const double x : places) most = std::max(most, count_at(x));
  double chosen = *places.begin();
  for (const double x : places)
    if (count_at(x) == most) chosen = x;
  return verdict(one, one.has_labels() ? *places.begin() : chosen);
}

std::vector<warning> sample_warnings(const experiment& one) {
  const auto& figure = one.title.empty() ? one.name : one.title;
  std::vector<std::string> noisy, with_outliers;
  std::size_t failures = 0;
  for (const auto& line : one.series) {
    for (const auto& at : line.points) {
      const auto name = fmt::format("{}{}", line.name, place_text(one, at.x));
      if (noise_of(at.samples) == noise::excessive) noisy.push_back(name);
      if (!outliers(at.samples).empty()) with_outliers.push_back(name);
      failures += at.failures.size();
    }
  }
  const auto some = [](const std::vector<std::string>& names) {
    auto text = names.front();
    for (std::size_t i = 1; i < std::min<std::size_t>(names.size(), 3); ++i) text += ", " + names[i];
    return names.size() > 3 ? fmt::format("{} and {} more", text, names.size() - 3) : text;
  };
  std::vector<warning> found;
  if (!noisy.empty())
    found.push_back(
        {fmt::format("{}: runs differ by a fifth or more: {}.", figure, some(noisy)),
         "Stop other programs, raise --runs or --duration; `hemlock doctor` names what disturbs."});
  if (!with_outliers.empty())
    found.push_back({fmt::format("{}: outliers: {}.", figure, some(with_outliers)),
                     "They are kept, and hardly move a median; longer runs have fewer of them."});
  if (failures > 0)
    found.push_back(
        {fmt::format("{}: {} run{} failed and gave no sample.", figure, failures, failures == 1 ? "" : "s"),
         "They are listed with their reason and left out of every figure."});
  return found;
}

}  // namespace hemlock::report
