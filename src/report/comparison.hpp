// Is one better than the other, by how much, and can that be chance?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/experiment.hpp"
#include "report/statistics.hpp"

namespace hemlock::report {

/// Below this a difference is taken as real.
inline constexpr double significance = 0.05;

struct comparison {
  double ratio = 0;      ///< median of the one / median of the other, or its inverse where lower is better
  interval confidence;   ///< of the ratio, 95 %
  double p_value = 1;    ///< Mann-Whitney, two-sided
  bool differs = false;  ///< the p-value is below `significance`, and the interval leaves 1 out
};

/// Oriented so that a ratio above 1 is good for `one`; as it is where neither direction is better.
comparison compare(std::span<const double> one, std::span<const double> other, better direction,
                   std::uint64_t seed = default_seed);

/// Whether so few samples could show a difference at all: 4 against 4 are the fewest.
bool enough_to_tell(std::size_t one, std::size_t other);

/// Holm's correction, for the many comparisons of one table: the p-values in the same order, made larger.
std::vector<double> holm(std::span<const double> p_values);

/// "1.21 ± 0.03", with three digits where the interval is tight; "1.01 (0.52 … 8.10)" where it is wide.
std::string ratio_text(const comparison& what);

/// Every series against the baseline at one x, corrected by Holm; the baseline itself is left out.
struct ranked_row {
  const series* line = nullptr;
  const point* at = nullptr;
  summary numbers;
  comparison against;  ///< the baseline; only with has_ratio
  bool has_ratio = false;
  bool is_baseline = false;
};

/// Best first; those without a sample last.
std::vector<ranked_row> ranking(const experiment& one, double x);

/// One sentence: who is best at `x`, and by how much against the baseline (or the second, without one).
std::string verdict(const experiment& one, double x);

/// The verdict at the largest x that most series have; empty when nothing can be said.
std::string verdict(const experiment& one);

/// Outliers, noise and failures of the samples, each once with a remedy.
std::vector<warning> sample_warnings(const experiment& one);

}  // namespace hemlock::report
