#include "check/catalogue_of.hpp"

namespace hemlock::check {

void add_spinning_cases(std::vector<check_case>& all) {
  for_each_lock<checked<false>>([&]<class Lock>() { case_builder<Lock>("spin", all).build(); });
}

}  // namespace hemlock::check
