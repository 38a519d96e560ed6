// The transitions of a write, which all three protocols share: one writer, no other copy. One function each.
#pragma once

#include "sim/coherence/directory.hpp"

namespace hemlock::sim {

struct write_transitions {
  /// Nobody has the line.
  static void write_uncached(directory_entry& line, cache_id writer) {
    line.answer(writer, line_state::modified);
  }
  /// One cache has it in E or M.
  static void write_of_sole(directory_entry& line, cache_id writer) {
    line.copies.clear();
    line.answer(writer, line_state::modified);
  }
  /// Several may have it; the writer has none.
  static void write_of_shared(directory_entry& line, cache_id writer) {
    line.copies.clear();
    line.answer(writer, line_state::modified);
  }
  /// Several may have it, the writer among them: the upgrade that CTR avoids.
  static void upgrade(directory_entry& line, cache_id writer) {
    line.copies.clear();
    line.answer(writer, line_state::modified);
  }
  /// The writer has it in E: no traffic.
  static void write_hit(directory_entry& line) { line.as = line_state::modified; }
};

}  // namespace hemlock::sim
