// Finding contenders by what the user types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/contender.hpp"

namespace hemlock::bench {

/// Everything that can be measured, in the registry's order, peers last.
const std::vector<contender>& all_contenders();

/// Names and groups ("all", "family", "paper", "peers", "mutex-bounds") with waiting policies, to contenders: every lock in
/// every policy, once, in the order asked for. Locks that wait in their own way are taken whatever the policy.
/// Throws std::invalid_argument with the known names, or with the policies the lock has. Of a group, locks
/// without the policy stay away.
std::vector<contender> choose(const std::vector<std::string>& locks, const std::vector<std::string>& waits);

/// "mcs" when it waits by `auto` or in its own way, else "mcs/spin".
std::string label(const contender& one);

/// What every list of names on the command line is: comma-separated. Throws if an element is empty.
std::vector<std::string> split_names(std::string_view text);

}  // namespace hemlock::bench
