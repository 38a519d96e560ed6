// The shape of every measurement we make, simulate or count: an experiment is one chart, with a series per
// lock, a point per x, and at each point the raw samples. Reports, diffs and documents are made from it.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/machine.hpp"

namespace hemlock::report {

enum class scale { linear, logarithmic };
enum class better { higher, lower, neither };

struct axis {
  std::string name;  ///< "threads", "throughput"
  std::string unit;  ///< "acquisitions/s", "ns"; empty when there is none
  scale kind = scale::linear;
  /// Set on an x axis of names instead of numbers: x is then an index into these, and the chart has bars.
  std::vector<std::string> labels = {};
};

struct point {
  double x = 0;
  std::vector<double> samples = {};  ///< one per run, in the order in which they were made
  std::vector<std::string> marks =
      {};  ///< what a reader must know of this point: "pure spin, more threads than CPUs"
  std::vector<std::string> failures =
      {};  ///< one per run that gave no sample: "timed out", "killed by SIGSEGV"
};

struct series {
  std::string name;                ///< the lock, mostly
  std::vector<point> points = {};  ///< ascending in x

  /// The point at `x`, made if it is not there.
  point& at(double x);
  const point* find(double x) const;
};

struct experiment {
  std::string name;   ///< what diff matches by: "mutexbench max-contention"
  std::string title;  ///< above the chart
  std::string shows;  ///< one sentence: what is measured, and how to read the chart
  axis x = {};
  axis y = {};
  better direction = better::higher;
  bool exact = false;         ///< counted or computed, not measured: one sample says all, nothing is chance
  std::string baseline = {};  ///< the series that ratios are taken to; empty: none
  std::vector<std::pair<std::string, std::string>> parameters =
      {};  ///< what was held fixed, in reading order
  std::vector<report::series> series = {};

  /// The series of that name, made if it is not there. `e.in("mutex").at(4).samples.push_back(value)`.
  report::series& in(std::string_view series_name);
  const report::series* find(std::string_view series_name) const;
  bool has_labels() const { return !x.labels.empty(); }
};

/// Something that spoils or limits a measurement, and what to do about it.
struct warning {
  std::string what;
  std::string remedy;
  friend bool operator==(const warning&, const warning&) = default;
};

/// A document of measurements: the envelope, and the experiments under "experiments".
struct results {
  std::string version = {};
  std::string command = {};
  machine where = {};
  std::vector<experiment> experiments = {};
  std::vector<warning> warnings = {};
  bool interrupted = false;  ///< Ctrl-C: what is here was measured, but not all that was asked for
};

/// What made a file unreadable as results; its text is fit for the user.
struct bad_document : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Empty results made by this build on this machine.
results new_results(std::string command);

/// With a "summary" beside each point's samples, for readers who want no statistics of their own.
nlohmann::json to_document(const results& all);

/// Throws bad_document. Summaries are not read: they are computed from the samples again.
results from_document(const nlohmann::json& json);
results read_results(const std::string& path);

void to_json(nlohmann::json& json, const experiment& one);
void from_json(const nlohmann::json& json, experiment& one);

}  // namespace hemlock::report
