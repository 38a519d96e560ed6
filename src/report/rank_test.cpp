#include "report/rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace hemlock::report {
namespace {

struct ranked {
  double u = 0;
  double tie_sum = 0;  ///< sum over groups of equal samples of t^3 - t
};

ranked rank(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> all;
  for (const double one : a) all.emplace_back(one, true);
  for (const double one : b) all.emplace_back(one, false);
  std::sort(all.begin(), all.end());
  ranked result;
  double rank_sum = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    std::size_t from_a = 0;
    while (end < all.size() && all[end].first == all[begin].first) from_a += all[end++].second ? 1 : 0;
    const auto ties = static_cast<double>(end - begin);
    const double shared_rank = (static_cast<double>(begin + end) + 1) / 2;
    rank_sum += shared_rank * static_cast<double>(from_a);
    result.tie_sum += ties * ties * ties - ties;
    begin = end;
  }
  const auto n = static_cast<double>(a.size());
  result.u = rank_sum - n * (n + 1) / 2;
  return result;
}

/// The share of all arrangements of n and m samples whose U is at most `u`.
double share_at_most(std::size_t n, std::size_t m, double u) {
  // ways[i][v]: arrangements of i samples of one side among j of the other with U = v; j grows by the loop.
  // The last in rank order is either of the first side, and beats all j, or of the second, and beats none.
  const std::size_t values = n * m + 1;
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(values, 0));
  for (std::size_t i = 0; i <= n; ++i) ways[i][0] = 1;
  for (std::size_t j = 1; j <= m; ++j)
    for (std::size_t i = 1; i <= n; ++i)
      for (std::size_t v = values; v-- > j;) ways[i][v] += ways[i - 1][v - j];
  double all = 0, within = 0;
  for (std::size_t v = 0; v < values; ++v) {
    all += ways[n][v];
    if (static_cast<double>(v) <= u) within += ways[n][v];
  }
  return within / all;
}

}  // namespace

rank_test mann_whitney(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {};
  const auto [u, tie_sum] = rank(a, b);
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  constexpr std::size_t countable = 20;
  if (tie_sum == 0 && a.size() <= countable && b.size() <= countable)
    return {u, std::min(1.0, 2 * share_at_most(a.size(), b.size(), std::min(u, n * m - u))), true};
  const double total = n + m;
  const double variance = n * m / 12 * (total + 1 - tie_sum / (total * (total - 1)));
  if (!(variance > 0)) return {u, 1, false};  // all samples are equal
  const double distance = std::max(0.0, std::abs(u - n * m / 2) - 0.5);
  return {u, std::erfc(distance / std::sqrt(2 * variance)), false};
}

}  // namespace hemlock::report
