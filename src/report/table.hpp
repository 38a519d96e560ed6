// Tables, bars and sparks for the terminal, and numbers as people read them.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hemlock::report {

/// Colour on a terminal that can, unless NO_COLOR is set (https://no-color.org).
bool colour_wanted(std::FILE* out);

enum class tone { plain, strong, good, bad, faint };

std::string painted(std::string_view text, tone how, bool colour);

struct cell {
  std::string text;
  tone how = tone::plain;
  cell(std::string what, tone as = tone::plain) : text{std::move(what)}, how{as} {}
  cell(const char* what, tone as = tone::plain) : text{what}, how{as} {}
};

enum class align { left, right };

class table {
public:
  struct column {
    std::string title;
    align side = align::right;
  };

  explicit table(std::vector<column> columns) : columns_{std::move(columns)} {}
  /// Cells left out are empty.
  void row(std::vector<cell> cells) { rows_.push_back(std::move(cells)); }
  /// A heading line and a line per row; no line ends in a blank.
  std::string text(bool colour) const;

private:
  std::vector<column> columns_;
  std::vector<std::vector<cell>> rows_;
};

/// Columns a text takes: code points, without terminal escapes. Enough for the signs that we print.
std::size_t display_width(std::string_view text);
std::string truncated(std::string_view text, std::size_t width);

/// `share` of `width` columns, in eighths; padded with light dots when a whole track is wanted.
std::string bar(double share, std::size_t width, bool track = false);

/// A column per value, from nothing to the largest. What is not a number is a blank.
std::string spark(std::span<const double> values);

/// Three significant digits with an SI prefix: "12.3 M", "450 k", "0.00812". Seconds become "1.23 ms", bytes "4 KiB".
std::string quantity(double value, std::string_view unit = "");
/// The same without a blank or the unit's name, for narrow columns: "12.3M".
std::string short_quantity(double value, std::string_view unit = "");

/// x as an axis shows it: whole numbers without a point.
std::string plain_number(double value);

}  // namespace hemlock::report
