#include "hemlock/world/native_rcu.hpp"
#include "support/erase_lock.hpp"
#include "support/observed_world.hpp"

namespace hemlock::test {

const std::vector<lock_case>& observed_locks() {
  static const auto cases = [] {
    std::vector<lock_case> made;
    append_cases<observed<native_rcu<waiting::yield>>>(made);
    append_cases<observed<native_rcu<waiting::park>>>(made);
    return made;
  }();
  return cases;
}

}  // namespace hemlock::test
