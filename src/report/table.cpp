#include "report/table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace hemlock::report {
namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

struct scaled {
  double value;
  std::string_view prefix;
};

scaled to_prefix(double value, std::span<const std::pair<double, std::string_view>> prefixes) {
  const double size = std::abs(value);
  for (const auto& [factor, name] : prefixes)
    if (size >= factor * 0.9995) return {value / factor, name};
  return {value, ""};
}

constexpr std::array<std::pair<double, std::string_view>, 4> si_prefixes = {
    {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
constexpr std::array<std::pair<double, std::string_view>, 3> binary_prefixes = {
    {{1024.0 * 1024 * 1024, "Gi"}, {1024.0 * 1024, "Mi"}, {1024.0, "Ki"}}};
constexpr std::array<std::pair<double, std::string_view>, 4> second_prefixes = {
    {{1.0, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}};

scaled scale_of(double value, std::string_view unit) {
  if (unit == "s") return value == 0 ? scaled{0, ""} : to_prefix(value, second_prefixes);
  if (unit == "B" || unit == "bytes") return to_prefix(value, binary_prefixes);
  return to_prefix(value, si_prefixes);
}

/// Three significant digits, without an exponent.
std::string three_digits(double value) {
  if (!std::isfinite(value)) return "–";
  if (value == 0) return "0";
  // 0.99999 rounds to 1.00, which has one digit before its point.
  const double rounded = std::abs(value) * 1.0005;
  const int before_point = static_cast<int>(std::floor(std::log10(rounded))) + 1;
  const int after_point = std::clamp(3 - before_point, 0, 9);
  auto text = fmt::format("{:.{}f}", value, after_point);
  if (value == std::floor(value) && text.find('.') != std::string::npos) text = fmt::format("{:.0f}", value);
  return text;
}

}  // namespace

bool colour_wanted(std::FILE* out) {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return ::isatty(::fileno(out)) != 0 && terminal != nullptr && std::string_view{terminal} != "dumb";
}

std::string painted(std::string_view text, tone how, bool colour) {
  if (!colour || text.empty()) return std::string{text};
  switch (how) {
    case tone::plain:
      return std::string{text};
    case tone::strong:
      return fmt::format("\x1b[1m{}\x1b[0m", text);
    case tone::good:
      return fmt::format("\x1b[1;32m{}\x1b[0m", text);
    case tone::bad:
      return fmt::format("\x1b[31m{}\x1b[0m", text);
    case tone::faint:
      return fmt::format("\x1b[2m{}\x1b[0m", text);
  }
  return std::string{text};
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm' && text[i] != 'K') ++i;
      continue;
    }
    if (!continues_character(text[i])) ++width;
  }
  return width;
}

std::string truncated(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string{text};
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (continues_character(text[end])) continue;
    if (++seen == width) break;
  }
  return std::string{text.substr(0, end)} + "…";
}

std::string table::text(bool colour) const {
  std::vector<std::size_t> widths;
  for (const auto& one : columns_) widths.push_back(display_width(one.title));
  for (const auto& cells : rows_)
    for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], display_width(cells[i].text));

  std::string all;
  const auto line = [&](const auto& text_at, const auto& tone_at, std::size_t count) {
    std::string written;
    std::size_t owed = 0;  // blanks, written only if something follows
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& text = i < count ? text_at(i) : std::string{};
      const std::size_t padding = widths[i] - display_width(text);
      if (i > 0) owed += 2;
      if (columns_[i].side == align::right) owed += padding;
      if (!text.empty()) {
        written += std::string(owed, ' ') + painted(text, tone_at(i), colour);
        owed = columns_[i].side == align::left ? padding : 0;
      } else {
        owed += columns_[i].side == align::left ? padding : 0;
      }
    }
    all += written.substr(0, written.find_last_not_of(' ') + 1) + '\n';
  };
  line([&](std::size_t i) -> const std::string& { return columns_[i].title; },
       [](std::size_t) { return tone::strong; }, columns_.size());
  for (const auto& cells : rows_)
    line([&](std::size_t i) -> const std::string& { return cells[i].text; },
         [&](std::size_t i) { return cells[i].how; }, cells.size());
  return all;
}

std::string bar(double share, std::size_t width, bool track) {
  static constexpr std::array<std::string_view, 8> eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double within = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
  const auto filled = static_cast<std::size_t>(std::lround(within * 8 * static_cast<double>(width)));
  std::string text;
  for (std::size_t i = 0; i < filled / 8; ++i) text += "█";
  text += eighths[filled % 8];
  if (track)
    for (std::size_t i = filled / 8 + (filled % 8 != 0 ? 1 : 0); i < width; ++i) text += "·";
  return text;
}

std::string spark(std::span<const double> values) {
  static constexpr std::array<std::string_view, 8> heights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double largest = 0;
  for (const double one : values)
    if (std::isfinite(one)) largest = std::max(largest, one);
  std::string text;
  for (const double one : values) {
    if (!std::isfinite(one)) {
      text += ' ';
      continue;
    }
    const double share = largest > 0 ? std::clamp(one / largest, 0.0, 1.0) : 0;
    text += heights[static_cast<std::size_t>(std::lround(share * 7))];
  }
  return text;
}

std::string quantity(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "–";
  const auto [number, prefix] = scale_of(value, unit);
  auto text = three_digits(number);
  if (!prefix.empty() || !unit.empty()) text += ' ';
  text += prefix;
  // A prefix belongs to the unit only where the unit is one word of its own: "12.3 M acquisitions/s".
  if (!prefix.empty() && unit != "s" && unit != "B" && !unit.empty()) text += ' ';
  return text + std::string{unit};
}

std::string short_quantity(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "–";
  const auto [number, prefix] = scale_of(value, unit);
  return three_digits(number) + std::string{prefix} + (unit == "s" ? "s" : "");
}

std::string plain_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

}  // namespace hemlock::report
