// Names and limits of a profile's parameters, and profiles read from a file.
#include "sim/profile.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

namespace hemlock::sim {
namespace {

constexpr double a_millisecond = 1e6;
constexpr std::array<parameter_fact, parameter_count> facts{{
    {"load_hit", "ns", "a load that hits in the own cache", a_millisecond},
    {"store_commit", "ns", "a store to a line that the own cache may write", a_millisecond},
    {"rmw_hit", "ns", "a read-modify-write of a line that the own cache may write", a_millisecond},
    {"pause", "ns", "the spin hint between two looks of a wait loop", a_millisecond},
    {"read_cluster", "ns", "a read that another cache of the cluster answers", a_millisecond},
    {"read_same", "ns", "a read that another cache of the socket answers", a_millisecond},
    {"read_cross", "ns", "a read that the other socket answers", a_millisecond},
    {"own_cluster", "ns", "taking ownership from a cache of the cluster", a_millisecond},
    {"own_same", "ns", "taking ownership from a cache of the socket", a_millisecond},
    {"own_cross", "ns", "taking ownership from the other socket", a_millisecond},
    {"upgrade_cluster", "ns", "making a shared copy writable, all others being in the cluster",
     a_millisecond},
    {"upgrade_same", "ns", "making a shared copy writable, all others being in the socket", a_millisecond},
    {"upgrade_cross", "ns", "making a shared copy writable, some other being in the other socket",
     a_millisecond},
    {"memory", "ns", "a line that no cache has", a_millisecond},
    {"read_occupancy", "ns", "how long a read of a shared line keeps the next request waiting",
     a_millisecond},
    {"conflict", "ns", "added to a change of owner while two or more others wait for ownership",
     a_millisecond},
    {"jitter", "", "how much a transfer's latency varies, as a fraction to either side", 0.99},
    {"smt_slowdown", "", "how much slower a CPU computes for each further thread on its pipeline", 100},
    {"park", "ns", "going to sleep in the kernel", a_millisecond},
    {"unpark", "ns", "waking another, for the one who wakes", a_millisecond},
    {"wake", "ns", "from then until the woken one runs", a_millisecond},
    {"prng_step", "ns", "one step of std::mt19937, the paper's unit of work", a_millisecond},
}};

using nlohmann::json;

template <class Enum>
Enum choice(const std::string& path, const std::string& key, const json& value,
            const std::vector<std::pair<std::string, Enum>>& choices) {
  std::vector<std::string> known;
  for (const auto& [name, meaning] : choices) {
    if (value.is_string() && value.get<std::string>() == name) return meaning;
    known.push_back('"' + name + '"');
  }
  throw profile_error(
      fmt::format("{}: \"{}\" is {}; it must be one of {}", path, key, value.dump(), fmt::join(known, ", ")));
}

int whole(const std::string& path, const std::string& key, const json& value, int lowest, int highest) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < lowest || value.get<std::int64_t>() > highest)
    throw profile_error(fmt::format("{}: \"{}\" is {}; it must be a whole number from {} to {}", path, key,
                                    value.dump(), lowest, highest));
  return value.get<int>();
}

std::string text(const std::string& path, const std::string& key, const json& value) {
  if (!value.is_string())
    throw profile_error(fmt::format("{}: \"{}\" is {}; it must be a text", path, key, value.dump()));
  return value.get<std::string>();
}

bool yes_or_no(const std::string& path, const std::string& key, const json& value) {
  if (!value.is_boolean())
    throw profile_error(fmt::format("{}: \"{}\" is {}; it must be true or false", path, key, value.dump()));
  return value.get<bool>();
}

std::optional<parameter> parameter_named(std::string_view name) {
  for (std::size_t i = 0; i < parameter_count; ++i)
    if (facts[i].name == name) return static_cast<parameter>(i);
  return std::nullopt;
}

tagged time_of(const std::string& path, parameter which, const json& value) {
  const auto& fact = fact_of(which);
  if (!value.is_object() || !value.contains("value") || !value.contains("from"))
    throw profile_error(
        fmt::format("{}: \"times\": \"{}\" must be an object with \"value\", \"from\" and, for "
                    "literature, \"source\"",
                    path, fact.name));
  for (const auto& [key, unused] : value.items())
    if (key != "value" && key != "from" && key != "source")
      throw profile_error(
          fmt::format("{}: \"times\": \"{}\" has an unknown key \"{}\"", path, fact.name, key));
  tagged made;
  if (!value["value"].is_number() || !(value["value"].get<double>() >= 0) ||
      value["value"].get<double>() > fact.highest)
    throw profile_error(fmt::format("{}: \"times\": \"{}\" is {}; it must be a number from 0 to {}", path,
                                    fact.name, value["value"].dump(), fact.highest));
  made.value = value["value"].get<double>();
  made.from = choice<provenance>(path, fmt::format("{}: from", fact.name), value["from"],
                                 {{"literature", provenance::literature},
                                  {"fitted", provenance::fitted},
                                  {"hypothesis", provenance::hypothesis}});
  if (value.contains("source"))
    made.source = text(path, fmt::format("{}: source", fact.name), value["source"]);
  if (made.from == provenance::literature && made.source.empty())
    throw profile_error(
        fmt::format("{}: \"times\": \"{}\" is from literature but names no \"source\"", path, fact.name));
  return made;
}

profile from_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw profile_error(fmt::format("{}: cannot be read", path));
  const json all = json::parse(file, nullptr, false);
  if (all.is_discarded()) throw profile_error(fmt::format("{}: is not JSON", path));
  if (!all.is_object()) throw profile_error(fmt::format("{}: must be a JSON object", path));

  profile made;
  std::vector<bool> given(parameter_count, false);
  if (all.contains("based_on")) {
    made = find_profile(text(path, "based_on", all["based_on"]));
    given.assign(parameter_count, true);
  } else {
    for (const char* needed : {"sockets", "cores_per_socket", "threads_per_core", "protocol", "times"})
      if (!all.contains(needed))
        throw profile_error(fmt::format(
            "{}: \"{}\" is missing (or name a profile to start from: \"based_on\")", path, needed));
  }
  made.name = path;
  made.description = "from a file";
  constexpr int most = static_cast<int>(max_caches);
  for (const auto& [key, value] : all.items()) {
    if (key == "based_on") continue;
    if (key == "name")
      made.name = text(path, key, value);
    else if (key == "description")
      made.description = text(path, key, value);
    else if (key == "sockets")
      made.sockets = whole(path, key, value, 1, 16);
    else if (key == "cores_per_socket")
      made.cores_per_socket = whole(path, key, value, 1, most);
    else if (key == "cores_per_cluster")
      made.cores_per_cluster = whole(path, key, value, 0, most);
    else if (key == "threads_per_core")
      made.threads_per_core = whole(path, key, value, 1, 8);
    else if (key == "pipelines")
      made.pipelines = whole(path, key, value, 1, 8);
    else if (key == "protocol")
      made.coherence = choice<protocol>(
          path, key, value,
          {{"MESI", protocol::mesi}, {"MESIF", protocol::mesif}, {"MOESI", protocol::moesi}});
    else if (key == "atomics")
      made.cas_only = choice<bool>(path, key, value, {{"native", false}, {"cas-only", true}});
    else if (key == "stores")
      made.stores = choice<store_policy>(path, key, value,
                                         {{"blocking", store_policy::blocking},
                                          {"tso", store_policy::tso},
                                          {"tso-prefetch", store_policy::tso_prefetch}});
    else if (key == "adjacent_line_prefetch")
      made.adjacent_line_prefetch = yes_or_no(path, key, value);
    else if (key == "remote_read_invalidates")
      made.remote_read_invalidates = yes_or_no(path, key, value);
    else if (key == "node_spacing")
      made.node_spacing = choice<int>(path, key, json(value.dump()), {{"64", 64}, {"128", 128}});
    else if (key == "times") {
      if (!value.is_object()) throw profile_error(fmt::format("{}: \"times\" must be an object", path));
      for (const auto& [name, time] : value.items()) {
        const auto which = parameter_named(name);
        if (!which) {
          std::vector<std::string_view> known;
          for (const auto& fact : facts) known.push_back(fact.name);
          throw profile_error(fmt::format("{}: \"times\" has an unknown key \"{}\"; there are {}", path, name,
                                          fmt::join(known, ", ")));
        }
        made.at(*which) = time_of(path, *which, time);
        given[static_cast<std::size_t>(*which)] = true;
      }
    } else {
      throw profile_error(fmt::format("{}: unknown key \"{}\"", path, key));
    }
  }
  for (std::size_t i = 0; i < parameter_count; ++i)
    if (!given[i] && made.uses(static_cast<parameter>(i)))
      throw profile_error(
          fmt::format("{}: \"times\" lacks \"{}\" ({})", path, facts[i].name, facts[i].meaning));
  if (made.has_clusters() && made.cores_per_socket % made.cores_per_cluster != 0)
    throw profile_error(
        fmt::format("{}: \"cores_per_cluster\" is {}, which does not divide the {} cores of a socket", path,
                    made.cores_per_cluster, made.cores_per_socket));
  if (made.cores() > most)
    throw profile_error(
        fmt::format("{}: {} cores are more than the {} that can be simulated", path, made.cores(), most));
  if (made[parameter::smt_slowdown] < 1)
    throw profile_error(fmt::format("{}: \"smt_slowdown\" must be at least 1", path));
  return made;
}

}  // namespace

const parameter_fact& fact_of(parameter which) {
  return facts[static_cast<std::size_t>(which)];
}

std::string_view name_of(provenance tag) {
  switch (tag) {
    case provenance::literature:
      return "literature";
    case provenance::fitted:
      return "fitted";
    case provenance::hypothesis:
      return "hypothesis";
  }
  return "?";
}

std::string_view name_of(store_policy policy) {
  switch (policy) {
    case store_policy::blocking:
      return "blocking";
    case store_policy::tso:
      return "tso";
    case store_policy::tso_prefetch:
      return "tso-prefetch";
  }
  return "?";
}

bool profile::uses(parameter which) const {
  return has_clusters() || (which != parameter::read_cluster && which != parameter::own_cluster &&
                            which != parameter::upgrade_cluster);
}

profile profile::plain() const {
  profile result = *this;
  result.stores = store_policy::blocking;
  result.adjacent_line_prefetch = false;
  result.remote_read_invalidates = false;
  result.node_spacing = 128;
  return result;
}

profile find_profile(const std::string& name) {
  for (const auto& known : built_in_profiles())
    if (known.name == name) return known;
  if (name.ends_with(".json")) return from_file(name);
  std::vector<std::string> names;
  for (const auto& known : built_in_profiles()) names.push_back(known.name);
  throw profile_error(
      fmt::format("unknown machine \"{}\"; there are {}, or a profile of yours in a .json file", name,
                  fmt::join(names, ", ")));
}

}  // namespace hemlock::sim
