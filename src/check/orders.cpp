#include "check/orders.hpp"

#include <algorithm>
#include <cstring>

namespace hemlock::check {
namespace {

std::vector<const check_case*> cases_by_size(const std::string& lock) {
  std::vector<const check_case*> chosen;
  for (const auto& each : all_cases())
    if (each.lock == lock && !each.full_only && !each.expected_to_fail) chosen.push_back(&each);
  const auto weight = [](const check_case& each) {
    int sum = static_cast<int>(each.threads) * 4 + (each.waiting == "park" ? 3 : 0);
    for (const char digit : each.size)
      if (digit != '+') sum += digit - '0';
    return sum;
  };
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](const check_case* a, const check_case* b) { return weight(*a) < weight(*b); });
  return chosen;
}

std::vector<std::memory_order> next_weaker(const std::set<operation_seen>& seen, std::memory_order order) {
  const bool loads =
      std::all_of(seen.begin(), seen.end(), [](const auto& each) { return each.what == action::load; });
  const bool stores =
      std::all_of(seen.begin(), seen.end(), [](const auto& each) { return each.what == action::store; });
  switch (order) {
    case std::memory_order_seq_cst:
      return {loads    ? std::memory_order_acquire
              : stores ? std::memory_order_release
                       : std::memory_order_acq_rel};
    case std::memory_order_acq_rel:
      return {std::memory_order_acquire, std::memory_order_release};
    case std::memory_order_acquire:
    case std::memory_order_consume:
    case std::memory_order_release:
      return {std::memory_order_relaxed};
    default:
      return {};
  }
}

}  // namespace

std::vector<weakening> weakenings(const std::string& lock, const operations& seen) {
  std::vector<weakening> all;
  for (const auto& [label, kinds] : seen) {
    std::set<std::memory_order> orders;
    for (const auto& each : kinds) orders.insert(each.order);
    for (const auto from : orders)
      for (const auto to : next_weaker(kinds, from)) all.push_back({lock, label, from, to});
  }
  return all;
}

weakening_result run(const weakening& one) {
  weakening_result result;
  for (const auto* each : cases_by_size(one.lock)) {
    job_result found = run(job{each, {{one.label, mutation::order, one.to, 0}}, false});
    result.states += found.states;
    result.executions += found.executions;
    result.seconds += found.seconds;
    if (found.wrong) {
      result.failed_in = each->name();
      result.wrong = found.wrong;
      result.path = std::move(found.path);
      return result;
    }
  }
  return result;
}

operations operations_of(const std::string& lock) {
  operations all;
  for (const auto* each : cases_by_size(lock)) {
    if (each->threads > 2 && each->scenario != "multi-waiting") continue;
    for (const auto& [label, seen] : run(job{each, {}, false}).operations)
      all[label].insert(seen.begin(), seen.end());
  }
  return all;
}

}  // namespace hemlock::check
