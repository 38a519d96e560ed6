#include "check/catalogue_of.hpp"
#include "check/scenarios_condition.hpp"

namespace hemlock::check {
namespace {

template <class World>
void add(const char* waiting, std::vector<check_case>& all) {
  case_adder cases("condition-variable", waiting, all);
  cases.family<condition_waits<World, notifying::one>>("notify-one", {{1, 1}}, {{1, 1, 1}, {1, 1, 1, 1}});
  cases.family<condition_waits<World, notifying::one_inside>>("notify-inside", {{1, 1}}, {{1, 1, 1}});
  cases.family<condition_waits<World, notifying::all>>("notify-all", {{1, 1}}, {{1, 1, 1}, {1, 1, 1, 1}});
  cases.family<condition_waits<World, notifying::any>>("notify-any", {{1, 1}}, {{1, 1, 1}});
  cases.family<condition_waits<World, notifying::one_or_never>>("timed-wait", {{1, 1}}, {{1, 1, 1}});
  cases.family<condition_waits<World, notifying::stop>>("stop", {{1, 1}}, {{1, 1, 1}});
}

}  // namespace

void add_condition_cases(std::vector<check_case>& all) {
  add<checked<false>>("spin", all);
  add<checked<true>>("park", all);
}

}  // namespace hemlock::check
