// Picks the transition that a request makes of a line, by the protocol of the machine.
#pragma once

#include <optional>
#include <string_view>

#include "sim/coherence/mesi.hpp"
#include "sim/coherence/mesif.hpp"
#include "sim/coherence/moesi.hpp"

namespace hemlock::sim {

enum class protocol : std::uint8_t { mesi, mesif, moesi };

inline constexpr std::string_view name_of(protocol kind) {
  switch (kind) {
    case protocol::mesi:
      return "MESI";
    case protocol::mesif:
      return "MESIF";
    case protocol::moesi:
      return "MOESI";
  }
  return "?";
}

/// Who supplied the data before a transition.
enum class source : std::uint8_t {
  memory,       ///< nobody had a copy
  sole_owner,   ///< one cache, in E or M
  shared_copy,  ///< one of several caches, or the last-level cache of a socket that has copies
  own_copy,     ///< an upgrade: the writer had the data, the others lost theirs
};

template <class Protocol>
source read(directory_entry& line, cache_id reader) {
  if (line.copies.empty()) return Protocol::read_uncached(line, reader), source::memory;
  switch (line.as) {
    case line_state::modified:
      return Protocol::read_of_modified(line, reader), source::sole_owner;
    case line_state::exclusive:
      return Protocol::read_of_exclusive(line, reader), source::sole_owner;
    case line_state::owned:
      if constexpr (requires { Protocol::read_of_owned(line, reader); })
        return Protocol::read_of_owned(line, reader), source::shared_copy;
      break;
    case line_state::forward:
      if constexpr (requires { Protocol::read_of_forward(line, reader); })
        return Protocol::read_of_forward(line, reader), source::shared_copy;
      break;
    default:
      break;
  }
  return Protocol::read_of_shared(line, reader), source::shared_copy;
}

template <class Protocol>
source write(directory_entry& line, cache_id writer) {
  if (line.copies.empty()) return Protocol::write_uncached(line, writer), source::memory;
  if (line.copies.contains(writer)) return Protocol::upgrade(line, writer), source::own_copy;
  if (line.as == line_state::modified || line.as == line_state::exclusive)
    return Protocol::write_of_sole(line, writer), source::sole_owner;
  return Protocol::write_of_shared(line, writer), source::shared_copy;
}

inline source read(protocol kind, directory_entry& line, cache_id reader) {
  switch (kind) {
    case protocol::mesi:
      return read<mesi>(line, reader);
    case protocol::mesif:
      return read<mesif>(line, reader);
    case protocol::moesi:
      break;
  }
  return read<moesi>(line, reader);
}

inline source write(protocol kind, directory_entry& line, cache_id writer) {
  switch (kind) {
    case protocol::mesi:
      return write<mesi>(line, writer);
    case protocol::mesif:
      return write<mesif>(line, writer);
    case protocol::moesi:
      break;
  }
  return write<moesi>(line, writer);
}

}  // namespace hemlock::sim
