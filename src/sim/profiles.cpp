// The machines we know. Every number carries where it comes from; docs/simulator.md says how far to trust them.
#include <algorithm>

#include "sim/profile.hpp"

namespace hemlock::sim {
namespace {

constexpr auto literature = provenance::literature;
constexpr auto fitted = provenance::fitted;
constexpr auto hypothesis = provenance::hypothesis;

struct setting {
  parameter which;
  tagged value;
};

void set(profile& made, std::initializer_list<setting> settings) {
  for (const auto& each : settings) made.at(each.which) = each.value;
}

const char* const core_to_core = "nviennot/core-to-core-latency: one-way, by CAS, ";

/// What no published number is known for, the same on all machines.
void set_unknowns(profile& made) {
  set(made, {{parameter::park, {1000, hypothesis, "a system call that blocks"}},
             {parameter::unpark, {800, hypothesis, "a system call that wakes"}},
             {parameter::wake, {4000, hypothesis, "from being woken to running, on an idle core"}},
             {parameter::smt_slowdown, {1.6, hypothesis, "threads of a core share its pipelines"}},
             {parameter::memory, {90, hypothesis, "only first touches go there"}},
             {parameter::conflict, {30, hypothesis, "as on intel-x5-2"}},
             {parameter::jitter, {0.1, hypothesis, "distances on the chip, and arbitration"}}});
}

profile intel_x5_2() {
  profile made{.name = "intel-x5-2",
               .description = "Oracle X5-2: 2 x Xeon E5-2699 v3, the paper's main machine",
               .sockets = 2,
               .cores_per_socket = 18,
               .threads_per_core = 2,
               .coherence = protocol::mesif,
               .stores = store_policy::blocking,
               .adjacent_line_prefetch = true,
               .remote_read_invalidates = true,
               .node_spacing = 64,
               .values = {}};
  const char* const cycles = "A. Fog, Instruction tables, Haswell; cycles at 2.8 GHz";
  const char* const transfer =
      "0.85 of 44 ns within and 118 ns across sockets on a slower E5-2695 v4 (nviennot/core-to-core-latency)";
  set_unknowns(made);
  set(made,
      {{parameter::load_hit, {1.4, literature, cycles}},
       {parameter::store_commit, {0.4, literature, cycles}},
       {parameter::rmw_hit, {6.8, literature, cycles}},
       {parameter::pause, {3.2, literature, cycles}},
       {parameter::read_same, {37.5, fitted, transfer}},
       {parameter::read_cross, {100, fitted, transfer}},
       {parameter::own_same, {37.5, fitted, transfer}},
       {parameter::own_cross, {100, fitted, transfer}},
       {parameter::upgrade_same, {37.5, hypothesis, "as own_same: the last sharer's answer is awaited"}},
       {parameter::upgrade_cross, {100, hypothesis, "as own_cross"}},
       {parameter::read_occupancy, {3, fitted, "how far the ticket lock falls at 32 threads"}},
       {parameter::conflict, {30, fitted, "the order of the locks under multi-waiting"}},
       {parameter::prng_step, {2.5, hypothesis, "about 7 cycles a step of std::mt19937"}}});
  return made;
}

/// The same processor alone in its board.
profile intel_one_socket() {
  profile made = intel_x5_2();
  made.name = "intel-one-socket";
  made.description = "one Xeon E5-2699 v3: the paper's processor, without its second socket";
  made.sockets = 1;
  return made;
}

profile amd_epyc_7662_2s() {
  profile made{.name = "amd-epyc-7662-2s",
               .description = "2 x AMD EPYC 7662, the paper's AMD machine",
               .sockets = 2,
               .cores_per_socket = 64,
               .cores_per_cluster = 4,
               .threads_per_core = 2,
               .coherence = protocol::moesi,
               .values = {}};
  const std::string cycles = "A. Fog, Instruction tables, Zen 2; cycles at 3.2 GHz";
  const std::string near = std::string(core_to_core) + "24 ns within a group of a Zen 2 Threadripper 3960X";
  const std::string middle = std::string(core_to_core) + "94 ns across the groups of the same";
  const std::string far = std::string(core_to_core) + "197 ns across sockets of an EPYC 7R13";
  set_unknowns(made);
  set(made, {{parameter::load_hit, {1.3, literature, cycles}},
             {parameter::store_commit, {0.3, literature, cycles}},
             {parameter::rmw_hit, {5.3, literature, cycles}},
             {parameter::pause, {12, literature, cycles}},
             {parameter::read_cluster, {24, literature, near}},
             {parameter::read_same, {94, literature, middle}},
             {parameter::read_cross, {197, literature, far}},
             {parameter::own_cluster, {24, literature, near}},
             {parameter::own_same, {94, literature, middle}},
             {parameter::own_cross, {197, literature, far}},
             {parameter::upgrade_cluster, {24, hypothesis, "as own_cluster"}},
             {parameter::upgrade_same, {94, hypothesis, "as own_same"}},
             {parameter::upgrade_cross, {197, hypothesis, "as own_cross"}},
             {parameter::read_occupancy, {3, hypothesis, "as on intel-x5-2"}},
             {parameter::prng_step, {2.5, hypothesis, "as on intel-x5-2"}}});
  return made;
}

profile sparc_t7_2() {
  profile made{.name = "sparc-t7-2",
               .description = "Oracle T7-2: 2 x SPARC M7, CAS only, the paper's SPARC machine",
               .sockets = 2,
               .cores_per_socket = 32,
               .threads_per_core = 8,
               .pipelines = 2,
               .coherence = protocol::moesi,
               .cas_only = true,
               .values = {}};
  const std::string guess = "no measurement of an M7 is known to us; " + std::string(core_to_core) +
                            "98 ns within and 356 ns across sockets of an older SPARC T4";
  set_unknowns(made);
  set(made, {{parameter::load_hit, {1.2, hypothesis, "5 cycles at 4.13 GHz"}},
             {parameter::store_commit, {0.5, hypothesis, "2 cycles"}},
             {parameter::rmw_hit, {6, hypothesis, "25 cycles: atomics are done in the L2 cache"}},
             {parameter::pause, {8, hypothesis, "MWAIT or PAUSE, about 32 cycles"}},
             {parameter::read_same, {70, hypothesis, guess}},
             {parameter::read_cross, {200, hypothesis, guess}},
             {parameter::own_same, {70, hypothesis, guess}},
             {parameter::own_cross, {200, hypothesis, guess}},
             {parameter::upgrade_same, {70, hypothesis, "as own_same"}},
             {parameter::upgrade_cross, {200, hypothesis, "as own_cross"}},
             {parameter::read_occupancy, {3, hypothesis, "as on intel-x5-2"}},
             {parameter::prng_step, {3.5, hypothesis, "narrower pipelines than Intel's"}}});
  return made;
}

}  // namespace

std::span<const profile> built_in_profiles() {
  static const std::vector<profile> all{intel_x5_2(), intel_one_socket(), amd_epyc_7662_2s(), sparc_t7_2()};
  return all;
}

}  // namespace hemlock::sim
