// The paper's statements about its machines, asked of the simulated ones.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/study.hpp"

namespace hemlock::sim {

/// A row of the paper's OffCore table, ours beside it. 32 threads, maximum contention, intel-x5-2.
struct offcore_row {
  std::string lock;
  double paper_rate;     ///< M/s
  double paper_offcore;  ///< per acquisition
  double allowed;        ///< how far our offcore relative to Hemlock's may be from the paper's, as a fraction
  averages full = {};
  averages plain = {};
};
inline constexpr double allowed_rate = 0.15;

/// Hemlock first. Averages over so many seeds: the order of the queue freezes, and decides up to 20 %.
std::vector<offcore_row> offcore_table(const profile& on, int seeds);
/// (ours / Hemlock's) / (the paper's / Hemlock's) - 1.
double relative_error(const offcore_row& row, const offcore_row& hemlock, bool plain);

/// What each hypothesis changes: the full model with one of them taken away, and other store policies.
struct variant {
  std::string name;
  profile on;
};
std::vector<variant> model_variants(const profile& full);

/// One statement of the paper and whether it holds in the model.
struct statement {
  std::string text;
  std::string figures;  ///< what was seen
  std::string command;  ///< that shows the same
  bool holds = false;
  bool fitted = false;  ///< a parameter of the model was chosen so that it holds
};
/// Those about the Intel machine.
std::vector<statement> ask_statements(const profile& on, int seeds);
/// The paper's bound on multi-waiting. It does not hold.
statement grant_bound(const profile& on, int seeds);
statement amd_concurs(const profile& amd, int seeds);

/// One parameter, changed, and which statements then hold.
struct sensitivity_row {
  std::string parameter;
  double factor;
  std::vector<bool> holds;  ///< in the order of ask_statements
  double hemlock_rate;      ///< M/s at 32 threads
};
/// False for those of parking and of siblings: in these statements nobody parks, and no two threads share a core.
bool bears_on_statements(const profile& on, parameter which);
std::vector<sensitivity_row> sensitivity(const profile& on, int seeds, std::size_t most_parameters,
                                         const std::function<bool()>& go_on);

}  // namespace hemlock::sim
