// What every adapter to somebody else's lock has. An adapter says `traits`, lock and unlock, as ours do, and
// `pure_spin` if it never gives the CPU away; what it must carry from lock to unlock is its `context`.
#pragma once

#include "hemlock/locks/lock_facade.hpp"

namespace hemlock::bench::peers {

struct peer : needs_nothing {
  static constexpr bool pure_spin = false;

  peer() = default;
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;
};

}  // namespace hemlock::bench::peers
