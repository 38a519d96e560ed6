// All that is checked: every lock of the registry in every scenario that applies to it, spinning and parking.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "check/program.hpp"
#include "check/settings.hpp"

namespace hemlock::check {

struct check_case {
  std::string lock;
  std::string waiting;   ///< "spin" or "park"
  std::string scenario;  ///< the family: "one-lock"
  std::string size;      ///< "2+1+1": how often each thread does it
  unsigned threads = 0;
  bool full_only = false;
  bool expected_to_fail = false;  ///< the lock's traits say that it does not have this property
  settings how;
  std::function<std::unique_ptr<program>()> make;

  [[nodiscard]] std::string name() const { return lock + "/" + waiting + "/" + scenario + "/" + size; }
};

/// Wake-ups and weak failures for no reason that an execution may have: with more threads, sleeping alone makes programs
/// large.
inline constexpr std::uint8_t spurious_with_two_threads = 1;
inline constexpr std::uint8_t spurious_with_more = 0;

/// In the registry's order, then the condition variable.
const std::vector<check_case>& all_cases();
std::vector<std::string> lock_names();
std::vector<std::string> scenario_names();

}  // namespace hemlock::check
