// What samples say, by methods that make no assumption about their distribution: times of contended locks
// are never normal.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hemlock::report {

/// The q-quantile by linear interpolation between order statistics (R's type 7). NaN without samples.
double quantile(std::span<const double> samples, double q);
double median(std::span<const double> samples);
double mean(std::span<const double> samples);

/// NaN without samples, or when one is not positive.
double geometric_mean(std::span<const double> samples);

/// Jain's fairness index of shares: 1 when all are equal, 1/n when one has everything; 1 when all are zero.
double jain_index(std::span<const double> shares);

struct interval {
  double low = 0;
  double high = 0;
};

/// Of the median, by resampling (percentile bootstrap). The same seed gives the same interval everywhere.
interval bootstrap_median(std::span<const double> samples, std::uint64_t seed, double confidence = 0.95,
                          int resamples = 2000);

/// Of median(a) / median(b), the two resampled independently.
interval bootstrap_ratio(std::span<const double> a, std::span<const double> b, std::uint64_t seed,
                         double confidence = 0.95, int resamples = 2000);

/// Indices of samples beyond Tukey's outer fences: three interquartile ranges outside the quartiles.
/// Fewer than five samples have no outliers, since their quartiles mean too little.
std::vector<std::size_t> outliers(std::span<const double> samples);

enum class noise { quiet, noticeable, excessive };
std::string_view name_of(noise verdict);

/// The interquartile range as a share of the median. NaN when the median is zero.
double relative_spread(std::span<const double> samples);

/// Quiet below 5 %, excessive from 20 % on: then a difference of that size cannot be told from chance.
noise noise_of(std::span<const double> samples);

struct summary {
  std::size_t count = 0;
  double median = 0, q1 = 0, q3 = 0, minimum = 0, maximum = 0;
  interval confidence;
  std::size_t outliers = 0;
  noise verdict = noise::quiet;
};

inline constexpr std::uint64_t default_seed = 20210719;

summary summarise(std::span<const double> samples, std::uint64_t seed = default_seed);

}  // namespace hemlock::report
