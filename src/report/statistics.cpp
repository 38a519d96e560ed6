#include "report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace hemlock::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double quantile_of_sorted(std::span<const double> sorted, double q) {
  if (sorted.empty()) return nan;
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], place - static_cast<double>(below));
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// std::uniform_int_distribution differs between standard libraries; intervals must not.
class resampler {
public:
  explicit resampler(std::uint64_t seed) : random_{seed} {}

  double median_of(std::span<const double> samples) {
    drawn_.resize(samples.size());
    for (auto& one : drawn_) one = samples[below(samples.size())];
    std::sort(drawn_.begin(), drawn_.end());
    return quantile_of_sorted(drawn_, 0.5);
  }

private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>((random_() >> 32U) * bound >> 32U); }

  std::mt19937_64 random_;
  std::vector<double> drawn_;
};

template <class Statistic>
interval percentile_interval(Statistic&& statistic, double confidence, int resamples) {
  std::vector<double> seen(static_cast<std::size_t>(resamples));
  for (auto& one : seen) one = statistic();
  std::sort(seen.begin(), seen.end());
  const double tail = (1 - confidence) / 2;
  return {quantile_of_sorted(seen, tail), quantile_of_sorted(seen, 1 - tail)};
}

}  // namespace

double quantile(std::span<const double> samples, double q) {
  return quantile_of_sorted(sorted_copy(samples), q);
}

double median(std::span<const double> samples) {
  return quantile(samples, 0.5);
}

double mean(std::span<const double> samples) {
  if (samples.empty()) return nan;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double geometric_mean(std::span<const double> samples) {
  if (samples.empty()) return nan;
  double logarithms = 0;
  for (const double one : samples) {
    if (!(one > 0)) return nan;
    logarithms += std::log(one);
  }
  return std::exp(logarithms / static_cast<double>(samples.size()));
}

double jain_index(std::span<const double> shares) {
  double sum = 0, squares = 0;
  for (const double one : shares) {
    sum += one;
    squares += one * one;
  }
  return squares == 0 ? 1 : sum * sum / (static_cast<double>(shares.size()) * squares);
}

interval bootstrap_median(std::span<const double> samples, std::uint64_t seed, double confidence,
                          int resamples) {
  if (samples.empty()) return {nan, nan};
  resampler draw{seed};
  return percentile_interval([&] { return draw.median_of(samples); }, confidence, resamples);
}

interval bootstrap_ratio(std::span<const double> a, std::span<const double> b, std::uint64_t seed,
                         double confidence, int resamples) {
  if (a.empty() || b.empty()) return {nan, nan};
  resampler draw{seed};
  return percentile_interval(
      [&] {
        const double above = draw.median_of(a);
        return above / draw.median_of(b);
      },
      confidence, resamples);
}

std::vector<std::size_t> outliers(std::span<const double> samples) {
  std::vector<std::size_t> found;
  if (samples.size() < 5) return found;
  const auto sorted = sorted_copy(samples);
  const double q1 = quantile_of_sorted(sorted, 0.25);
  const double q3 = quantile_of_sorted(sorted, 0.75);
  const double reach = 3 * (q3 - q1);
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i] < q1 - reach || samples[i] > q3 + reach) found.push_back(i);
  return found;
}

std::string_view name_of(noise verdict) {
  switch (verdict) {
    case noise::quiet:
      return "quiet";
    case noise::noticeable:
      return "noticeable";
    case noise::excessive:
      return "excessive";
  }
  return "";
}

double relative_spread(std::span<const double> samples) {
  const double middle = median(samples);
  if (samples.empty() || middle == 0) return nan;
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / std::abs(middle);
}

noise noise_of(std::span<const double> samples) {
  const double spread = relative_spread(samples);
  if (!(spread >= 0.05)) return noise::quiet;
  return spread < 0.20 ? noise::noticeable : noise::excessive;
}

summary summarise(std::span<const double> samples, std::uint64_t seed) {
  const auto sorted = sorted_copy(samples);
  if (sorted.empty()) return {0, nan, nan, nan, nan, nan, {nan, nan}, 0, noise::quiet};
  return {sorted.size(),
          quantile_of_sorted(sorted, 0.5),
          quantile_of_sorted(sorted, 0.25),
          quantile_of_sorted(sorted, 0.75),
          sorted.front(),
          sorted.back(),
          bootstrap_median(samples, seed),
          outliers(samples).size(),
          noise_of(samples)};
}

}  // namespace hemlock::report
