#include "hemlock/world/native_rcu.hpp"
#include "support/erase_lock.hpp"

namespace hemlock::test {

std::string lock_case::name() const {
  return std::string(facts.name) + "/" + policy;
}

const std::vector<lock_case>& patient_locks() {
  static const auto cases = [] {
    std::vector<lock_case> made;
    append_cases<native_rcu<waiting::yield>>(made);
    append_cases<native_rcu<waiting::park>>(made);
    append_cases<native_rcu<waiting::automatic>>(made);
    return made;
  }();
  return cases;
}

const std::vector<lock_case>& spinning_locks() {
  static const auto cases = [] {
    std::vector<lock_case> made;
    append_cases<native_rcu<waiting::spin>>(made);
    return made;
  }();
  return cases;
}

}  // namespace hemlock::test
