// The records of all registered locks, defined here once for every shared object of a program.
#include <type_traits>

#include "hemlock/locks/recursive.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native.hpp"

namespace hemlock {

template <class Record>
constinit thread_local Record thread_record<Record>::value{};

namespace {

/// Takes the variable's address where the compiler cannot drop it, which instantiates the definition.
template <class Record>
void own() {
  if constexpr (!std::is_same_v<Record, nothing>) {
    [[maybe_unused]] void* volatile owned = &thread_record<Record>::value;
  }
}

template <class World>
void own_records_in() {
  for_each_lock<World>([]<class Lock>() {
    if constexpr (!World::must_park || Lock::traits.parks) {
      own<typename Lock::per_thread>();
      own<typename Lock::per_thread_cache>();
    }
  });
}

}  // namespace

/// Never called: it is the list of what this library owns.
[[gnu::used]] void own_all_records() {
  own<thread_identity>();
  own_records_in<native<waiting::spin>>();
  own_records_in<native<waiting::yield>>();
  own_records_in<native<waiting::park>>();
  own_records_in<native<waiting::automatic>>();
}

}  // namespace hemlock
