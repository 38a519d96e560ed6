// The figures that several studies have.
#pragma once

#include <optional>
#include <string>

#include "bench/setup.hpp"
#include "report/experiment.hpp"

namespace hemlock::bench {

/// `study` is what the figure's name begins with, `title` its name for people, `load` what the sections are.
report::experiment throughput_figure(const setup& how, const std::string& study, const std::string& title,
                                     const std::string& load);
report::experiment cpu_time_figure(const setup& how, const std::string& study, const std::string& title,
                                   const std::string& load);

/// Nanoseconds of CPU per operation; absent when there was none.
std::optional<double> cpu_per_operation(const run_result& result);

/// Smallest share, Jain's index, waits, gaps: and the values for them.
std::vector<report::experiment> fairness_figures(const setup& how, const std::string& study,
                                                 const std::string& title, const std::string& load);
metrics fairness_metrics(const run_result& result);

/// The x axis of most.
report::axis threads_axis();

}  // namespace hemlock::bench
