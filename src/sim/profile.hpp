// A machine's profile: its shape, its coherence protocol, and its times, each tagged with where it comes from.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/coherence/protocol.hpp"

namespace hemlock::sim {

/// How much a number can be trusted.
enum class provenance : std::uint8_t {
  literature,  ///< published by others; the source is named
  fitted,      ///< chosen so that the whole model meets published results; the same for every lock
  hypothesis,  ///< an assumption that nobody has confirmed for this machine
};

struct tagged {
  double value = 0;
  provenance from = provenance::hypothesis;
  std::string source;
};

/// What a store does while the line is elsewhere.
enum class store_policy : std::uint8_t {
  blocking,  ///< the CPU waits for the line
  tso,       ///< into a FIFO buffer; the oldest one asks for its line; an RMW waits until the buffer is empty
  tso_prefetch,  ///< as tso, but each asks for its line as it enters; so does an RMW that waits for the buffer
};

enum class parameter : std::uint8_t {
  load_hit,
  store_commit,
  rmw_hit,
  pause,
  read_cluster,
  read_same,
  read_cross,
  own_cluster,
  own_same,
  own_cross,
  upgrade_cluster,
  upgrade_same,
  upgrade_cross,
  memory,
  read_occupancy,
  conflict,
  jitter,
  smt_slowdown,
  park,
  unpark,
  wake,
  prng_step,
  count_
};
inline constexpr std::size_t parameter_count = static_cast<std::size_t>(parameter::count_);

struct parameter_fact {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  double highest;
};
const parameter_fact& fact_of(parameter which);

struct profile {
  std::string name;
  std::string description;
  int sockets = 1;
  int cores_per_socket = 1;
  int cores_per_cluster =
      0;  ///< cores that share a last-level cache, if that is not the whole socket; else 0
  int threads_per_core = 1;
  int pipelines = 1;  ///< threads of a core that run without slowing each other
  protocol coherence = protocol::mesif;
  bool cas_only = false;  ///< SWAP and fetch-and-add are loops around CAS
  store_policy stores = store_policy::blocking;
  bool adjacent_line_prefetch = false;   ///< a miss also asks for the other line of its 128-byte pair
  bool remote_read_invalidates = false;  ///< a read of the other socket's dirty line leaves no copy there
  int node_spacing = 128;  ///< bytes from one queue node to the next: 128 as we pad, 64 as the paper did
  std::array<tagged, parameter_count> values;

  [[nodiscard]] const tagged& at(parameter which) const { return values[static_cast<std::size_t>(which)]; }
  [[nodiscard]] tagged& at(parameter which) { return values[static_cast<std::size_t>(which)]; }
  [[nodiscard]] double operator[](parameter which) const { return at(which).value; }
  [[nodiscard]] bool has_clusters() const { return cores_per_cluster > 0; }
  /// Whether it plays a part on this machine.
  [[nodiscard]] bool uses(parameter which) const;
  [[nodiscard]] int cores() const { return sockets * cores_per_socket; }
  [[nodiscard]] int cpus() const { return cores() * threads_per_core; }

  /// Without the hypotheses of its store buffer, its prefetcher and the paper's node spacing.
  [[nodiscard]] profile plain() const;
};

std::string_view name_of(provenance tag);
std::string_view name_of(store_policy policy);

/// The machines we know: the paper's three, and one socket of the first.
std::span<const profile> built_in_profiles();

/// A built-in profile by its name, or one read from a JSON file if the name ends in ".json". Throws
/// profile_error.
profile find_profile(const std::string& name);

struct profile_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace hemlock::sim
