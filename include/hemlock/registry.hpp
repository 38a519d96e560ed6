// Every lock of the family. Adding one: its header in locks/, and one line in the list below.
#pragma once

#include <string_view>

#include "locks/clh.hpp"
#include "locks/fifo.hpp"
#include "locks/hemlock_ah.hpp"
#include "locks/hemlock_chain.hpp"
#include "locks/hemlock_ctr.hpp"
#include "locks/hemlock_cv.hpp"
#include "locks/hemlock_element.hpp"
#include "locks/hemlock_futex.hpp"
#include "locks/hemlock_hinted.hpp"
#include "locks/hemlock_marked.hpp"
#include "locks/hemlock_naive.hpp"
#include "locks/hemlock_overlap.hpp"
#include "locks/hemlock_polite.hpp"
#include "locks/hemlock_signal.hpp"
#include "locks/hemlock_stack.hpp"
#include "locks/hemlock_table.hpp"
#include "locks/mcs.hpp"
#include "locks/mutex.hpp"
#include "locks/pthread.hpp"
#include "locks/tas.hpp"
#include "locks/ticket.hpp"
#include "locks/ttas.hpp"
#include "world/concept.hpp"

namespace hemlock {

/// What a World must offer beyond the concept, for a lock to exist in it.
struct any_world {
  template <class World>
  static constexpr bool fits = world<World>;
};
struct native_world {  ///< the lock is the platform's own, so only the machine itself can run it
  template <class World>
  static constexpr bool fits = requires {
    typename World::wait_policy;
  };
};
struct world_with_reclamation {
  template <class World>
  static constexpr bool fits = reclaiming_world<World>;
};

template <template <class> class Lock, class Requirement = any_world>
struct registered {
  template <class World>
  using lock = Lock<World>;
  template <class World>
  static constexpr bool fits = Requirement::template fits<World>;
};

template <class... Entries>
struct lock_list {};

// One line per lock.
// clang-format off
using all_locks = lock_list<
    registered<hemlock_naive>,
    registered<hemlock_ctr>,
    registered<hemlock_overlap>,
    registered<hemlock_ah>,
    registered<hemlock_marked>,
    registered<hemlock_hinted>,
    registered<hemlock_polite>,
    registered<hemlock_stack>,
    registered<hemlock_table>,
    registered<hemlock_chain>,
    registered<hemlock_futex>,
    registered<hemlock_cv>,
    registered<hemlock_element, world_with_reclamation>,
    registered<hemlock_signal>,
    registered<mcs>,
    registered<clh>,
    registered<ticket>,
    registered<tas>,
    registered<ttas>,
    registered<basic_mutex>,
    registered<basic_fifo_mutex>,
    registered<pthread, native_world>>;
// clang-format on

/// Calls visit.template operator()<Lock<World>>() for each registered lock that exists in this World.
template <class World, class Visitor, class... Entries>
constexpr void for_each_lock(Visitor&& visit, lock_list<Entries...>) {
  const auto one = [&]<class Entry>() {
    if constexpr (Entry::template fits<World>)
      visit.template operator()<typename Entry::template lock<World>>();
  };
  (one.template operator()<Entries>(), ...);
}
template <class World, class Visitor>
constexpr void for_each_lock(Visitor&& visit) {
  for_each_lock<World>(visit, all_locks{});
}

/// Likewise for the lock of that name; false if there is none.
template <class World, class Visitor>
constexpr bool with_lock(std::string_view name, Visitor&& visit) {
  bool found = false;
  for_each_lock<World>([&]<class Lock>() {
    if (Lock::traits.name == name && !found) {
      found = true;
      visit.template operator()<Lock>();
    }
  });
  return found;
}

}  // namespace hemlock
