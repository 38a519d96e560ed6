// Mann and Whitney's test: do two sets of samples come from the same distribution?
#pragma once

#include <span>

namespace hemlock::report {

struct rank_test {
  double u = 0;        ///< pairs in which the sample of `a` is the larger one, a tie counting half
  double p_value = 1;  ///< two-sided
  bool exact = false;  ///< by counting all arrangements; otherwise the normal approximation
};

/// Exact for up to 20 samples a side without ties; otherwise normal with corrections for ties and
/// continuity (as R's wilcox.test). Without samples on a side, p is 1.
rank_test mann_whitney(std::span<const double> a, std::span<const double> b);

}  // namespace hemlock::report
