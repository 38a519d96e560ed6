#include "check/catalogue_of.hpp"

namespace hemlock::check {

void add_parking_cases(std::vector<check_case>& all) {
  for_each_lock<checked<true>>([&]<class Lock>() {
    if constexpr (Lock::traits.parks) case_builder<Lock>("park", all).build();
  });
}

}  // namespace hemlock::check
