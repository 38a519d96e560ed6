// The mutex functions of our kinds, with the lock that this process has.
#pragma once

#include "preload/default_lock.hpp"
#include "preload/hooks.hpp"
#include "preload/mutex_kinds.hpp"
#include "preload/settings.hpp"

namespace hemlock::preload {

/// For what is no locking of the program's.
template <class Engine>
using unhooked = Engine;

/// `action` is called with a mutex_kinds<...>; not if all mutexes are glibc's.
template <template <class> class Way = hooked, class Action>
int by_mode(Action action) noexcept {
  switch (mode_now()) {
    case default_mode:
      return action(mutex_kinds<Way<default_lock>>{});
    case careful_mode:
      return action(mutex_kinds<Way<careful_lock>>{});
    default:
      return action(mutex_kinds<Way<chosen_lock>>{});
  }
}

}  // namespace hemlock::preload
