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

/// What no published number is known for, the same on all machines.
void set_kernel_costs(profile& made) {
  set(made, {{parameter::park, {1000, hypothesis, "a system call that blocks"}},
             {parameter::unpark, {800, hypothesis, "a futex wake"}},
             {parameter::wake, {4000, hypothesis, "from wake-up to running, on an idle core"}},
             {parameter::smt_slowdown, {1.6, hypothesis, "two busy siblings share one core's pipelines"}}});
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
  const char* const cycles = "A. Fog, Instruction tables, Haswell; at 2.8 GHz";
  const char* const transfer =
      "0.85 of the 44 ns within and 118 ns across sockets that others measured one-way with CAS on an "
      "E5-2695 v4";
  set(made,
      {{parameter::load_hit, {1.4, literature, cycles}},
       {parameter::store_commit, {0.4, literature, cycles}},
       {parameter::rmw_hit, {6.8, literature, cycles}},
       {parameter::pause, {3.2, literature, cycles}},
       {parameter::read_same, {37.5, fitted, transfer}},
       {parameter::read_cross, {100, fitted, transfer}},
       {parameter::own_same, {37.5, fitted, transfer}},
       {parameter::own_cross, {100, fitted, transfer}},
       {parameter::upgrade_same, {37.5, hypothesis, "as own_same: the answer of the last sharer is awaited"}},
       {parameter::upgrade_cross, {100, hypothesis, "as own_cross"}},
       {parameter::memory, {90, hypothesis, "only first touches go there"}},
       {parameter::read_occupancy, {3, fitted, "how far the ticket lock falls"}},
       {parameter::jitter, {0.1, hypothesis, "ring distances and arbitration"}},
       {parameter::prng_step, {2.5, hypothesis, "a step of std::mt19937 at 2.8 GHz"}}});
  set_kernel_costs(made);
  return made;
}

}  // namespace

std::span<const profile> built_in_profiles() {
  static const std::vector<profile> all{intel_x5_2()};
  return all;
}

}  // namespace hemlock::sim
