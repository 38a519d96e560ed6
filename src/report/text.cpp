#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "report/comparison.hpp"
#include "report/statistics.hpp"
#include "report/table.hpp"

namespace hemlock::report {
namespace {

/// Marks and failures, numbered once each however many points have them.
class footnotes {
public:
  std::string sign(const point& at) {
    std::set<std::size_t> numbers;
    for (const auto& mark : at.marks) numbers.insert(number_of(mark));
    for (const auto& [what, times] : counted(at.failures))
      numbers.insert(number_of(times == 1 ? fmt::format("a run failed: {}", what)
                                          : fmt::format("{} runs failed: {}", times, what)));
    std::string text;
    for (const auto number : numbers) text += superscript(number);
    return text;
  }
  std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < notes_.size(); ++i)
      all += fmt::format("{} {}\n", superscript(i + 1), notes_[i]);
    return all;
  }

private:
  std::size_t number_of(const std::string& note) {
    const auto found = std::find(notes_.begin(), notes_.end(), note);
    if (found != notes_.end()) return static_cast<std::size_t>(found - notes_.begin()) + 1;
    notes_.push_back(note);
    return notes_.size();
  }
  static std::map<std::string, int> counted(const std::vector<std::string>& all) {
    std::map<std::string, int> count;
    for (const auto& one : all) ++count[one];
    return count;
  }
  static std::string superscript(std::size_t number) {
    static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char digit : std::to_string(number)) text += digits[digit - '0'];
    return text;
  }

  std::vector<std::string> notes_;
};

/// A point without a sample: what was tried failed; what was left out, or not reached before Ctrl-C, did not.
cell empty_cell(const point& at) {
  return at.failures.empty() ? cell{"–", tone::faint} : cell{"failed", tone::bad};
}

std::string ranking_table(const experiment& one, double x, bool colour, footnotes& notes) {
  const auto rows = ranking(one, x);
  const bool ratios = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.has_ratio; });
  double largest = 0;
  for (const auto& row : rows)
    if (std::isfinite(row.numbers.median)) largest = std::max(largest, row.numbers.median);
  std::vector<table::column> columns = {{"", align::left}, {"median"}, {"quartiles", align::left}, {"runs"}};
  if (ratios) columns.push_back({fmt::format("to {}", one.baseline)});
  columns.push_back({"", align::left});
  table text{columns};
  bool first = true;
  for (const auto& row : rows) {
    const auto& numbers = row.numbers;
    std::vector<cell> cells = {{row.line->name, row.is_baseline ? tone::strong : tone::plain}};
    if (row.at->samples.empty()) {
      cells.insert(cells.end(), {empty_cell(*row.at), "", std::string{"0"}});
    } else {
      const bool best = std::exchange(first, false) && one.direction != better::neither;
      cells.push_back({quantity(numbers.median, one.y.unit), best ? tone::good : tone::plain});
      cells.push_back(fmt::format("{} … {}", short_quantity(numbers.q1, one.y.unit),
                                  short_quantity(numbers.q3, one.y.unit)));
      cells.push_back(std::to_string(numbers.count));
    }
    cells[0].text += notes.sign(*row.at);
    if (ratios) {
      if (row.is_baseline) {
        cells.push_back({"1", tone::faint});
      } else if (!row.has_ratio) {
        cells.push_back("");
      } else {
        const auto how = !row.against.differs ? tone::faint : row.against.ratio > 1 ? tone::good : tone::bad;
        cells.push_back({ratio_text(row.against), how});
      }
    }
    cells.push_back({bar(largest > 0 ? numbers.median / largest : 0, 20), tone::faint});
    text.row(std::move(cells));
  }
  return text.text(colour);
}

std::string grid_table(const experiment& one, const std::vector<double>& places, bool colour,
                       footnotes& notes) {
  std::vector<table::column> columns = {{one.has_labels() ? "" : one.x.name, align::left}};
  for (const double x : places)
    columns.push_back({one.has_labels() ? one.x.labels[static_cast<std::size_t>(x)] : plain_number(x)});
  if (!one.has_labels()) columns.push_back({"", align::left});
  std::map<double, double> best;
  for (const double x : places) {
    double value = std::numeric_limits<double>::quiet_NaN();
    for (const auto& line : one.series) {
      const auto* at = line.find(x);
      const double middle = at != nullptr ? median(at->samples) : value;
      if (std::isnan(middle)) continue;
      if (std::isnan(value) || (one.direction == better::lower ? middle < value : middle > value))
        value = middle;
    }
    best[x] = value;
  }
  table text{columns};
  for (const auto& line : one.series) {
    std::vector<cell> cells = {line.name};
    std::vector<double> middles;
    for (const double x : places) {
      const auto* at = line.find(x);
      const double middle = at != nullptr ? median(at->samples) : std::numeric_limits<double>::quiet_NaN();
      middles.push_back(middle);
      if (at == nullptr) {
        cells.emplace_back("");
        continue;
      }
      const bool is_best = middle == best[x] && one.direction != better::neither;
      auto shown = at->samples.empty()
                       ? empty_cell(*at)
                       : cell{short_quantity(middle, one.y.unit), is_best ? tone::good : tone::plain};
      shown.text += notes.sign(*at);
      cells.push_back(std::move(shown));
    }
    cells.push_back({spark(middles), tone::faint});
    text.row(std::move(cells));
  }
  return text.text(colour);
}

}  // namespace

std::string text_of(const experiment& one, bool colour) {
  std::set<double> places;
  for (const auto& line : one.series)
    for (const auto& at : line.points) places.insert(at.x);
  auto text = painted(one.title, tone::strong, colour);
  std::string what = one.y.name;
  if (!one.y.unit.empty() && one.y.unit != one.y.name) what += " in " + one.y.unit;
  if (one.direction != better::neither)
    what += one.direction == better::higher ? ", more is better" : ", less is better";
  text += fmt::format("\n{}\n", painted(what, tone::faint, colour));
  for (std::size_t i = 0; i < one.parameters.size(); ++i)
    text += fmt::format("{}{}: {}", i == 0 ? "" : "   ", one.parameters[i].first, one.parameters[i].second);
  text += one.parameters.empty() ? "\n" : "\n\n";
  if (places.empty()) return text + "(nothing was measured)\n";
  footnotes notes;
  text += places.size() == 1 ? ranking_table(one, *places.begin(), colour, notes)
                             : grid_table(one, {places.begin(), places.end()}, colour, notes);
  if (const auto foot = notes.text(); !foot.empty()) text += '\n' + painted(foot, tone::faint, colour);
  if (const auto sentence = verdict(one); !sentence.empty())
    text += '\n' + painted(sentence, tone::strong, colour) + '\n';
  return text;
}

std::string text_of(const results& all, bool colour) {
  auto text = painted(one_line(all.where), tone::faint, colour) + "\n\n";
  for (const auto& one : all.experiments) text += text_of(one, colour) + '\n';
  for (const auto& [what, remedy] : all.warnings)
    text += fmt::format("{} {}\n  {}\n", painted("warning:", tone::bad, colour), what, remedy);
  if (all.interrupted)
    text += painted("Interrupted: this is what was measured until then.", tone::bad, colour) + '\n';
  return text;
}

}  // namespace hemlock::report
