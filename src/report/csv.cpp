#include "report/csv.hpp"

#include <fmt/format.h>

namespace hemlock::report {
namespace {

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string{"\"\""} : std::string{c};
  return quoted + '"';
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : "; ") + one;
  return text;
}

}  // namespace

std::string csv_of(const results& all) {
  std::string text = "experiment,series,x,x_label,run,value,unit,marks,failure\n";
  for (const auto& one : all.experiments) {
    for (const auto& line : one.series) {
      for (const auto& at : line.points) {
        const auto label = one.has_labels() ? one.x.labels[static_cast<std::size_t>(at.x)] : std::string{};
        const auto begin = fmt::format("{},{},{},{}", field(one.name), field(line.name), at.x, field(label));
        const auto marks = field(joined(at.marks));
        std::size_t run = 0;
        for (const double value : at.samples)
          text += fmt::format("{},{},{},{},{},\n", begin, ++run, value, field(one.y.unit), marks);
        for (const auto& failure : at.failures)
          text += fmt::format("{},,,{},{},{}\n", begin, field(one.y.unit), marks, field(failure));
      }
    }
  }
  return text;
}

}  // namespace hemlock::report
