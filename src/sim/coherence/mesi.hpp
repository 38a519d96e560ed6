// MESI: Modified, Exclusive, Shared, Invalid. A dirty line is written back when another reads it; a line that is
// shared is answered for by nobody, so the next reader gets it from the last-level cache or memory.
#pragma once

#include "sim/coherence/write_transitions.hpp"

namespace hemlock::sim {

struct mesi : write_transitions {
  static void read_uncached(directory_entry& line, cache_id reader) {
    line.answer(reader, line_state::exclusive);
  }
  static void read_of_exclusive(directory_entry& line, cache_id reader) {
    line.nobody_answers();
    line.copies.insert(reader);
  }
  static void read_of_modified(directory_entry& line, cache_id reader) {
    line.nobody_answers();
    line.copies.insert(reader);
  }
  static void read_of_shared(directory_entry& line, cache_id reader) { line.copies.insert(reader); }
};

}  // namespace hemlock::sim
