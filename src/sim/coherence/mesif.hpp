// MESIF: as MESI, but the last reader of a shared line holds it as Forward and answers the next one from its
// cache (Goodman and Hum, "MESIF: a two-hop cache coherency protocol for point-to-point interconnects", 2009).
#pragma once

#include "sim/coherence/write_transitions.hpp"

namespace hemlock::sim {

struct mesif : write_transitions {
  static void read_uncached(directory_entry& line, cache_id reader) {
    line.answer(reader, line_state::exclusive);
  }
  static void read_of_exclusive(directory_entry& line, cache_id reader) {
    line.answer(reader, line_state::forward);
  }
  static void read_of_modified(directory_entry& line, cache_id reader) {
    line.answer(reader, line_state::forward);
  }
  /// The owner writes back and keeps nothing; the reader still may not write.
  static void read_of_modified_that_invalidates(directory_entry& line, cache_id reader) {
    line.copies.clear();
    line.answer(reader, line_state::forward);
  }
  static void read_of_forward(directory_entry& line, cache_id reader) {
    line.answer(reader, line_state::forward);
  }
  static void read_of_shared(directory_entry& line, cache_id reader) {
    line.answer(reader, line_state::forward);
  }
};

}  // namespace hemlock::sim
