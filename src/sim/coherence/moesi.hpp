// MOESI: a dirty line that another reads stays dirty in its owner's cache, who answers for it from then on;
// nothing is written back (AMD64 Architecture Programmer's Manual, volume 2, "Memory coherency and protocol").
#pragma once

#include "sim/coherence/write_transitions.hpp"

namespace hemlock::sim {

struct moesi : write_transitions {
  static void read_uncached(directory_entry& line, cache_id reader) {
    line.answer(reader, line_state::exclusive);
  }
  static void read_of_exclusive(directory_entry& line, cache_id reader) {
    line.nobody_answers();
    line.copies.insert(reader);
  }
  static void read_of_modified(directory_entry& line, cache_id reader) {
    line.as = line_state::owned;
    line.copies.insert(reader);
  }
  static void read_of_owned(directory_entry& line, cache_id reader) { line.copies.insert(reader); }
  static void read_of_shared(directory_entry& line, cache_id reader) { line.copies.insert(reader); }
};

}  // namespace hemlock::sim
