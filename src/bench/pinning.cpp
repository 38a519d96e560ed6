#include "bench/pinning.hpp"

#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>
#include <tuple>

namespace hemlock::bench {
namespace {

int number_in(const std::string& path, int otherwise) {
  std::ifstream file(path);
  int value = otherwise;
  return file >> value ? value : otherwise;
}

}  // namespace

pinning parse_pinning(std::string_view text) {
  for (const auto pin : {pinning::none, pinning::compact, pinning::scatter})
    if (text == to_string(pin)) return pin;
  throw std::invalid_argument(fmt::format("'{}' is no way of pinning (known: none, compact, scatter)", text));
}

std::string_view to_string(pinning pin) {
  switch (pin) {
    case pinning::compact:
      return "compact";
    case pinning::scatter:
      return "scatter";
    default:
      return "none";
  }
}

std::vector<int> cpu_order(std::vector<cpu_place> places, pinning pin) {
  std::vector<int> order;
  if (pin == pinning::none) return order;
  std::sort(places.begin(), places.end(), [](const cpu_place& a, const cpu_place& b) {
    return std::tie(a.package, a.core, a.cpu) < std::tie(b.package, b.core, b.cpu);
  });
  if (pin == pinning::scatter) {
    // By its rank among its core's hardware threads, then its core's rank in the package, then the package.
    std::map<std::pair<int, int>, int> threads_seen;
    std::map<int, std::map<int, int>> cores_seen;
    struct rank {
      int thread, core, package, cpu;
      auto key() const { return std::tie(thread, core, package, cpu); }
    };
    std::vector<rank> ranks;
    for (const auto& place : places) {
      auto& cores = cores_seen[place.package];
      const int core = cores.emplace(place.core, static_cast<int>(cores.size())).first->second;
      ranks.push_back({threads_seen[{place.package, place.core}]++, core, place.package, place.cpu});
    }
    std::sort(ranks.begin(), ranks.end(), [](const rank& a, const rank& b) { return a.key() < b.key(); });
    for (const auto& one : ranks) order.push_back(one.cpu);
  } else {
    for (const auto& place : places) order.push_back(place.cpu);
  }
  return order;
}

std::vector<cpu_place> usable_cpus(const std::string& root) {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<cpu_place> places;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return places;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &set)) continue;
    const auto topology = fmt::format("{}/sys/devices/system/cpu/cpu{}/topology/", root, cpu);
    places.push_back(
        {cpu, number_in(topology + "physical_package_id", 0), number_in(topology + "core_id", cpu)});
  }
  return places;
}

bool pin_this_thread(int cpu) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace hemlock::bench
