// Two profiles of the same program, lock by lock.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "profile/model.hpp"

namespace hemlock::profile {

/// Null where a profile does not have the lock. Locks are matched by name, those without one of their own by site.
struct lock_change {
  std::string name;
  const lock_view* before = nullptr;
  const lock_view* after = nullptr;
};

struct difference {
  std::vector<lock_change> locks;  ///< largest change first
  double wait_ratio = 1;           ///< waiting per acquisition, after by before; 1 if nobody waited in either
};

/// The profiles must be grouped by site, and outlive the result.
difference compare(const profile& before, const profile& after);

std::string text_of(const difference& found, const profile& before, const profile& after, std::size_t top,
                    bool colour);
nlohmann::json json_of(const difference& found, const profile& before, const profile& after,
                       const std::string& command);

}  // namespace hemlock::profile
