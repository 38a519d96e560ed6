// Two results files, row by row: what got better, what got worse, and what can be chance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/comparison.hpp"
#include "report/experiment.hpp"

namespace hemlock::report {

struct difference_row {
  std::string experiment;
  std::string series;
  std::string x;  ///< as the axis shows it
  std::string unit;
  better direction = better::neither;
  double before = 0;  ///< medians
  double after = 0;
  double ratio = 0;          ///< after / before, as it is
  comparison against = {};   ///< oriented: above 1 is better; p-value corrected by Holm over all rows
  bool enough = true;        ///< whether so many samples could show a difference at all
  std::string failure = {};  ///< after has no sample, and this is why; the figures are then meaningless

  /// By how much it got worse, as a share: 0.05 is five percent. Negative when it got better.
  double worsening() const;
};

struct difference {
  std::vector<difference_row> rows;
  std::vector<std::string> only_before;  ///< "experiment, series, x"
  std::vector<std::string> only_after;
  /// Of the oriented ratios: above 1, all in all, is better.
  double geometric_mean = 0;
  std::size_t rows_in_mean = 0;  ///< those that have such a ratio
};

difference diff_of(const results& before, const results& after);

/// ">5%" or "5%": worse by more than five percent. Nothing if the text is no such thing.
std::optional<double> parse_threshold(const std::string& text);

/// A row is past the threshold when its median got worse by more than that and the difference is no chance, or when
/// there are too few samples to tell, or when it no longer gives any sample. Where neither direction is better, a
/// change either way counts.
bool past(const difference_row& row, double threshold);

std::string text_of(const difference& all, std::optional<double> threshold, bool colour);

}  // namespace hemlock::report
