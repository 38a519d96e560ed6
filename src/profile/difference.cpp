#include "profile/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "report/document.hpp"
#include "report/table.hpp"

namespace hemlock::profile {
namespace {

double per_acquisition(std::uint64_t time, std::uint64_t acquisitions) {
  return acquisitions == 0 ? 0 : static_cast<double>(time) / static_cast<double>(acquisitions);
}
std::uint64_t wait_of(const lock_view* lock) {
  return lock == nullptr ? 0 : lock->wait;
}

std::string seconds(double nanoseconds) {
  return nanoseconds <= 0 ? "-" : report::quantity(nanoseconds / 1e9, "s");
}

std::string change_of(double before, double after) {
  if (before <= 0 && after <= 0) return "";
  if (before <= 0) return "new";
  if (after <= 0) return "gone";
  return fmt::format("x {:.2f}", after / before);
}

std::uint64_t distance(const lock_change& one) {
  const std::uint64_t before = wait_of(one.before);
  const std::uint64_t after = wait_of(one.after);
  return before > after ? before - after : after - before;
}

}  // namespace

difference compare(const profile& before, const profile& after) {
  std::map<std::string, lock_change> named;
  for (const auto& lock : before.locks) named[lock.name].before = &lock;
  for (const auto& lock : after.locks) named[lock.name].after = &lock;
  difference found;
  for (auto& [name, change] : named) {
    change.name = name;
    found.locks.push_back(change);
  }
  std::stable_sort(found.locks.begin(), found.locks.end(),
                   [](const auto& a, const auto& b) { return distance(a) > distance(b); });
  const double was = per_acquisition(before.total_wait, before.total_acquisitions);
  const double is = per_acquisition(after.total_wait, after.total_acquisitions);
  found.wait_ratio = was > 0 ? is / was : is > 0 ? HUGE_VAL : 1;
  return found;
}

std::string text_of(const difference& found, const profile& before, const profile& after, std::size_t top,
                    bool colour) {
  const double was = per_acquisition(before.total_wait, before.total_acquisitions);
  const double is = per_acquisition(after.total_wait, after.total_acquisitions);
  std::string text =
      was <= 0 && is <= 0
          ? "Nobody waited in either.\n"
          : fmt::format("Waiting per acquisition: {} before, {} after{}.\n", seconds(was), seconds(is),
                        was > 0 && is > 0 ? fmt::format(" ({})", change_of(was, is)) : "");
  report::table table{{{"lock", report::align::left},
                       {"waited before"},
                       {"after"},
                       {""},
                       {"mean hold before"},
                       {"after"},
                       {""}}};
  for (std::size_t i = 0; i < found.locks.size() && i < top; ++i) {
    const auto& one = found.locks[i];
    const double hold_before = one.before == nullptr ? 0 : one.before->mean_hold;
    const double hold_after = one.after == nullptr ? 0 : one.after->mean_hold;
    const auto wait_before = static_cast<double>(wait_of(one.before));
    const auto wait_after = static_cast<double>(wait_of(one.after));
    table.row({report::truncated(one.name, 34), seconds(wait_before), seconds(wait_after),
               change_of(wait_before, wait_after), seconds(hold_before), seconds(hold_after),
               change_of(hold_before, hold_after)});
  }
  return text + '\n' + table.text(colour);
}

nlohmann::json json_of(const difference& found, const profile& before, const profile& after,
                       const std::string& command) {
  nlohmann::json document = report::document(command);
  auto& out = document["profile_difference"];
  out["before"] = before.command;
  out["after"] = after.command;
  out["wait_per_acquisition_ratio"] =
      std::isfinite(found.wait_ratio) ? nlohmann::json(found.wait_ratio) : nullptr;
  out["locks"] = nlohmann::json::array();
  const auto side = [](const lock_view* lock) -> nlohmann::json {
    if (lock == nullptr) return nullptr;
    return {{"acquisitions", lock->acquisitions},
            {"contended", lock->contended},
            {"wait_ns", lock->wait},
            {"mean_hold_ns", lock->mean_hold}};
  };
  for (const auto& one : found.locks)
    out["locks"].push_back({{"name", one.name}, {"before", side(one.before)}, {"after", side(one.after)}});
  return document;
}

}  // namespace hemlock::profile
