// One line per sample, for a spreadsheet or a data frame.
#pragma once

#include <string>

#include "report/experiment.hpp"

namespace hemlock::report {

/// RFC 4180 with a heading: experiment, series, x, x_label, run, value, unit, marks, failure.
std::string csv_of(const results& all);

}  // namespace hemlock::report
