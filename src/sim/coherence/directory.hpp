// What is known of one cache line: who has a copy, and who answers for it.
#pragma once

#include <cstdint>

#include "sim/coherence/cache_set.hpp"

namespace hemlock::sim {

enum class line_state : char {
  invalid = 'I',
  shared = 'S',
  exclusive = 'E',
  modified = 'M',
  owned = 'O',    ///< MOESI: dirty, with other copies about; this cache answers for the line
  forward = 'F',  ///< MESIF: clean, with other copies about; this cache answers for the line
};

struct directory_entry {
  cache_set copies;                     ///< including the one who answers
  cache_id answering = no_cache;        ///< the cache in E, M, O or F, if any
  line_state as = line_state::invalid;  ///< that cache's state

  [[nodiscard]] line_state state_in(cache_id cache) const {
    if (!copies.contains(cache)) return line_state::invalid;
    return cache == answering ? as : line_state::shared;
  }
  [[nodiscard]] bool writable_in(cache_id cache) const {
    return cache == answering && (as == line_state::modified || as == line_state::exclusive);
  }
  void answer(cache_id cache, line_state state) {
    copies.insert(cache);
    answering = cache;
    as = state;
  }
  void nobody_answers() {
    answering = no_cache;
    as = line_state::invalid;
  }
};

}  // namespace hemlock::sim
