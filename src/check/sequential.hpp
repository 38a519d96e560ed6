// seq_cst, as RC11 has it: the relation psc between seq_cst events must have no cycle.
#pragma once

#include "check/memory.hpp"

namespace hemlock::check {

/// Whether a single order of all seq_cst operations and fences exists that explains the events so far.
/// Needs a memory that keeps its events.
bool sequentially_consistent(const memory& mem);

}  // namespace hemlock::check
