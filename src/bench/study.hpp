// A study is what one `hemlock bench` command measures: its figures, and the trials that fill them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/experiment.hpp"

namespace hemlock::bench {

/// One place in the study: a lock at a number of threads. Run as often as there are runs.
struct trial {
  std::string series;
  double x = 0;
  std::vector<std::string> marks = {};  ///< what a reader must know of it

  /// Measures once: a value for each figure, in their order, absent where this trial has none. Nothing at all
  /// if it was interrupted. Throws when it cannot be measured. No function: not measured, for the reason in marks.
  std::function<std::optional<std::vector<std::optional<double>>>(std::uint64_t seed)> once = {};
};

struct study {
  std::vector<report::experiment> figures = {};
  std::vector<trial> trials = {};
};

struct watcher {
  /// Before each trial: which, the how manieth of all, and of how many.
  std::function<void(const trial&, std::size_t done, std::size_t all)> before = [](auto&, auto, auto) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// Fills the figures: run by run, in each run every trial once, in an order shuffled by the seed, so that
/// whatever the machine does meanwhile hits all locks alike. False if interrupted: what was measured stays.
bool conduct(study& what, int runs, std::uint64_t seed, const watcher& watch);

}  // namespace hemlock::bench
