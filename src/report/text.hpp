// Experiments as the terminal shows them.
#pragma once

#include <string>

#include "report/experiment.hpp"

namespace hemlock::report {

/// With one x: a ranking with quartiles, ratios and bars. With several: a row per series, a column per x,
/// and a spark. Marks and failures follow as footnotes, then the verdict.
std::string text_of(const experiment& one, bool colour);

/// The machine, each experiment, the warnings with their remedies.
std::string text_of(const results& all, bool colour);

}  // namespace hemlock::report
