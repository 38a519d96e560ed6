// What about this machine would spoil a measurement, and what to do about it.
#pragma once

#include <vector>

#include "report/experiment.hpp"

namespace hemlock::report {

/// Nothing for a machine fit for measuring. A virtual machine and a small CPU budget are facts to know, and are in
/// the document; they are not repeated here.
std::vector<warning> machine_warnings(const machine& facts);

}  // namespace hemlock::report
