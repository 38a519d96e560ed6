// What the parts of `hemlock paper` share: how much to do, what has been found, and where it is written.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/paper_text.hpp"
#include "report/experiment.hpp"

namespace hemlock::cli {

/// How many seeds, and how far.
struct paper_size {
  int offcore_seeds = 100;
  int claim_seeds = 100;
  int figure_seeds = 100;
  int figure_seeds_beyond_64_threads = 5;
  int variant_seeds = 100;
  int sensitivity_seeds = 12;
  std::size_t sensitive_parameters = 100;  ///< no more than there are
  std::vector<int> few_cpus = {1, 2, 4, 8, 16, 32, 64};
  std::vector<int> many_cpus = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  std::vector<int> sparc = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

  static paper_size quick();
  /// Seconds; shows that everything works, and its figures mean little.
  static paper_size smoke();
};

struct claim {
  std::string text;
  std::string verdict;  ///< confirmed, not confirmed, reproduced only by a fit, cannot be told here
  std::string how;      ///< measured, simulated, computed, or - where it cannot be told
  std::string seen;
  std::string command;
};

inline const char* const cannot_be_told = "cannot be told here";

/// The paper as it grows.
struct paper {
  paper_size size;
  std::vector<report::results> measured;  ///< what --measured gave
  nlohmann::json profile;                 ///< of LevelDB, what --profile gave; null if nothing
  paper_text text;
  report::results all;
  std::vector<claim> claims;
  /// Told before each piece of work; throws when the user has had enough.
  std::function<void(const std::string& piece)> begin;
};

extern const std::vector<std::string> paper_locks;

/// A table of medians, in units that read well, with a row per x and a column per series.
void add_medians(paper_text& text, const report::experiment& one);

void add_space(paper& made);
void add_offcore(paper& made);
void add_simulated_claims(paper& made);
void add_simulated_figures(paper& made);
void add_hypotheses(paper& made);
void add_sensitivity(paper& made);
void add_left_out(paper& made);
void add_machines(paper& made);

/// LevelDB, and MutexBench, multi-waiting, the ring and uncontended latency on the machine that measured them.
void add_measured(paper& made);
void add_measured_claims(paper& made);

}  // namespace hemlock::cli
