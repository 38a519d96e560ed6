// One of two shared objects, built from this file with everything hidden but these functions.
#include "shared_objects/object.hpp"
#include "hemlock/locks/hemlock_ctr.hpp"
#include "hemlock/locks/hemlock_overlap.hpp"
#include "hemlock/locks/mcs.hpp"
#include "hemlock/world/native.hpp"

namespace {
using world = hemlock::native<hemlock::waiting::yield>;

template <class Lock>
void lock_it(void* lock) {
  static_cast<Lock*>(lock)->acquire();
}
template <class Lock>
void unlock_it(void* lock) {
  static_cast<Lock*>(lock)->release();
}
template <class Lock>
constexpr lock_functions functions_of{sizeof(Lock), &lock_it<Lock>, &unlock_it<Lock>};
}  // namespace

extern "C" [[gnu::visibility("default")]] lock_functions lock_functions_for(int kind) {
  switch (kind) {
    case 0:
      return functions_of<hemlock::hemlock_ctr<world>>;
    case 1:
      return functions_of<hemlock::mcs<world>>;
    default:
      return functions_of<hemlock::hemlock_overlap<world>>;
  }
}
