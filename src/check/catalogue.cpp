#include "check/catalogue.hpp"

#include <algorithm>

#include "check/catalogue_of.hpp"

namespace hemlock::check {
namespace {

std::vector<std::string> distinct(std::string check_case::*field) {
  std::vector<std::string> names;
  for (const auto& each : all_cases())
    if (std::find(names.begin(), names.end(), each.*field) == names.end()) names.push_back(each.*field);
  return names;
}

}  // namespace

const std::vector<check_case>& all_cases() {
  static const std::vector<check_case> cases = [] {
    std::vector<check_case> all;
    add_spinning_cases(all);
    add_parking_cases(all);
    add_condition_cases(all);
    return all;
  }();
  return cases;
}

std::vector<std::string> lock_names() {
  return distinct(&check_case::lock);
}
std::vector<std::string> scenario_names() {
  return distinct(&check_case::scenario);
}

}  // namespace hemlock::check
