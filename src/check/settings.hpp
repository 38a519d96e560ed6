// How a program is explored, and what is claimed of the lock in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "check/mutation.hpp"

namespace hemlock::check {

/// How many threads may wait on one word.
enum class spinning : std::uint8_t { anywhere, fere_local, local };

struct settings {
  mutations changes;
  std::string doorstep;  ///< check FIFO from the operation with this label; empty: not claimed
  spinning claim = spinning::anywhere;
  bool forgets = false;   ///< between two looks, its parking loops keep nothing but what they saw last
  bool reduces = true;    ///< stores and other steps that cannot disturb others are run at once, alone
  bool remembers = true;  ///< a state seen before is not explored again
  bool symmetric = true;  ///< nor one that differs only in which of the threads that do the same does what
  int max_preemptions = -1;
  std::uint8_t spurious = 1;  ///< how many wake-ups and weak failures without reason an execution may have
  std::size_t max_states = 20'000'000;
};

}  // namespace hemlock::check
