#include "bench/catalogue.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "hemlock/world/waiting.hpp"

namespace hemlock::bench {
namespace {

constexpr std::array policies{waiting::automatic::name, waiting::spin::name, waiting::yield::name,
                              waiting::park::name};

// The paper's figures show these five.
constexpr std::array<std::string_view, 5> in_the_paper{"mcs", "clh", "ticket", "hemlock-ctr",
                                                       "hemlock-naive"};

constexpr std::array<std::string_view, 5> groups{"all", "family", "paper", "peers", "mutex-bounds"};

bool in_group(const contender& one, std::string_view group) {
  if (group == "all") return !one.peer && !one.variant;
  if (group == "mutex-bounds") return one.variant;
  if (group == "family") return !one.peer && one.name.starts_with("hemlock-");
  if (group == "paper")
    return std::find(in_the_paper.begin(), in_the_paper.end(), one.name) != in_the_paper.end();
  return group == "peers" && one.peer;
}

std::vector<contender> gather() {
  std::vector<contender> all = automatic_contenders();
  for (auto& one : all)
    if (one.name == "pthread") one.wait = own_way;  // the policy says nothing to it
  for (auto* more :
       {spinning_contenders, yielding_contenders, parking_contenders, bounded_contenders, peer_contenders})
    for (auto& one : more())
      if (one.name != "pthread") all.push_back(std::move(one));
  return all;
}

bool waits_by(const contender& one, std::string_view wait) {
  return one.wait == own_way || one.wait == wait;
}

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const auto& one : all_contenders())
    if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
  return names;
}

std::vector<std::string_view> policies_of(std::string_view name) {
  std::vector<std::string_view> has;
  for (const auto& one : all_contenders())
    if (one.name == name) has.push_back(one.wait);
  return has;
}

void check_policies(const std::vector<std::string>& waits) {
  for (const auto& wait : waits)
    if (std::find(policies.begin(), policies.end(), wait) == policies.end())
      throw std::invalid_argument(
          fmt::format("unknown waiting policy '{}'; known: {}", wait, fmt::join(policies, ", ")));
}

void add(std::vector<contender>& chosen, const contender& one) {
  const bool there = std::any_of(chosen.begin(), chosen.end(), [&](const contender& c) {
    return c.name == one.name && c.wait == one.wait;
  });
  if (!there) chosen.push_back(one);
}

}  // namespace

const std::vector<contender>& all_contenders() {
  static const std::vector<contender> all = gather();
  return all;
}

std::vector<contender> choose(const std::vector<std::string>& locks, const std::vector<std::string>& waits) {
  check_policies(waits);
  std::vector<contender> chosen;
  for (const auto& name : locks) {
    const bool is_group = std::find(groups.begin(), groups.end(), name) != groups.end();
    const auto has = policies_of(name);
    if (!is_group && has.empty())
      throw std::invalid_argument(fmt::format("unknown lock '{}'; known: {}; groups: {}", name,
                                              fmt::join(known_names(), ", "), fmt::join(groups, ", ")));
    for (const auto& wait : waits) {
      bool found = false;
      for (const auto& one : all_contenders()) {
        if (!(is_group ? in_group(one, name) : one.name == name) || !waits_by(one, wait)) continue;
        add(chosen, one);
        found = true;
      }
      if (!found && !is_group)
        throw std::invalid_argument(fmt::format("{} does not have the waiting policy '{}'; it has: {}", name,
                                                wait, fmt::join(has, ", ")));
    }
  }
  if (chosen.empty())
    throw std::invalid_argument(fmt::format("no lock of {} has the waiting policy {}", fmt::join(locks, ", "),
                                            fmt::join(waits, ", ")));
  return chosen;
}

std::string label(const contender& one) {
  return one.wait == own_way || one.wait == waiting::automatic::name
             ? one.name
             : fmt::format("{}/{}", one.name, one.wait);
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const auto comma = text.find(',');
    if (text.substr(0, comma).empty()) throw std::invalid_argument("an empty name in a comma-separated list");
    names.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace hemlock::bench
