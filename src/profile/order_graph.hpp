// Circles in the order in which locks are asked for.
#pragma once

#include <vector>

#include "profile/model.hpp"

namespace hemlock::profile {

/// For each knot of locks that can be reached from each other, its shortest circle through each edge, without
/// doubles; at most `most`.
std::vector<cycle_view> find_cycles(const std::vector<edge_view>& edges, std::size_t locks,
                                    std::size_t most = 20);

}  // namespace hemlock::profile
