#include "check/orders.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace hemlock::check {
namespace {

/// Operations show early in a program's exploration.
constexpr std::size_t states_for_operations = 100'000;
constexpr std::size_t states_for_weakening = 600'000;

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

std::vector<std::memory_order> next_weaker(const std::set<action>& kinds, std::memory_order order) {
  const bool loads = kinds == std::set{action::load};
  const bool stores = kinds == std::set{action::store};
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

nlohmann::json to_json(const weakening_result& one) {
  return {{"failed_in", one.failed_in}, {"violation", one.violation},   {"text", one.text},
          {"states", one.states},       {"executions", one.executions}, {"seconds", one.seconds}};
}

void fill(weakening_result& one, const nlohmann::json& data) {
  if (data.contains("crash"))
    throw std::runtime_error(one.what.lock + ", " + one.what.where + ": " + data["crash"].get<std::string>());
  one.failed_in = data.at("failed_in").get<std::string>();
  one.violation = data.at("violation").get<std::string>();
  one.text = data.at("text").get<std::string>();
  one.states = data.at("states").get<std::uint64_t>();
  one.executions = data.at("executions").get<double>();
  one.seconds = data.at("seconds").get<double>();
}

}  // namespace

// The mutex under a condition variable is weakened in its own scenarios; `adopt` is there for the condition alone.
std::vector<weakening> weakenings(const std::string& lock, const operations& seen) {
  std::vector<weakening> all;
  for (const auto& [label, kinds_seen] : seen) {
    struct site {
      std::string function;
      std::set<action> kinds;
      std::set<std::memory_order> orders;
    };
    std::map<std::uint32_t, site> sites;  // by line: in the order of the source
    for (const auto& each : kinds_seen) {
      if (each.order == std::memory_order_relaxed) continue;
      if (lock == "condition-variable" && each.file == "mutex.hpp" && each.function != "adopt") continue;
      auto& one = sites[each.line];
      one.function = each.function;
      one.kinds.insert(each.what);
      one.orders.insert(each.order);
    }
    std::map<std::string, int> in_function;
    for (const auto& [line, one] : sites) {
      const int earlier = in_function[one.function]++;
      std::string where = label;
      if (sites.size() > 1) where += " in " + one.function;
      if (earlier > 0) where += ", " + std::to_string(earlier + 1);
      for (const auto from : one.orders)
        for (const auto to : next_weaker(one.kinds, from))
          all.push_back({lock, label, one.function, line, where, from, to});
    }
  }
  return all;
}

weakening_result run(const weakening& one, bool full) {
  weakening_result result;
  result.what = one;
  for (const auto* each : cases_by_size(one.lock)) {
    const mutation change{one.label, mutation::order, one.to, 0, one.function, one.line};
    job_result found = run(job{each, {change}, full, full ? 0 : states_for_weakening});
    result.states += found.states;
    result.executions += found.executions;
    result.seconds += found.seconds;
    if (found.wrong) {
      result.failed_in = each->name();
      result.violation = name_of(found.wrong.kind);
      result.text = found.wrong.text;
      return result;
    }
  }
  return result;
}

operations operations_of(const std::string& lock) {
  operations all;
  for (const auto* each : cases_by_size(lock))
    for (const auto& [label, seen] : run(job{each, {}, false, states_for_operations}).operations)
      all[label].insert(seen.begin(), seen.end());
  for (auto label = all.begin(); label != all.end();)
    label = label->first.starts_with("scenario-") ? all.erase(label) : std::next(label);
  return all;
}

std::vector<std::string> locks_with_orders() {
  auto names = lock_names();
  std::erase(names, "condition-variable");
  return names;
}

order_report report_orders(const std::vector<std::string>& locks, bool full,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  const unsigned workers = std::max(1U, std::thread::hardware_concurrency());
  order_report report;
  in_processes(
      locks.size(), workers,
      [&](std::size_t i) {
        job_result carrier;
        carrier.operations = operations_of(locks[i]);
        return to_json(carrier);
      },
      [&](std::size_t i, const nlohmann::json& data) {
        job_result carrier = result_from(data);
        if (carrier.wrong) throw std::runtime_error(locks[i] + ": " + carrier.wrong.text);
        report.seen[locks[i]] = std::move(carrier.operations);
      });
  for (const auto& lock : locks)
    for (auto& each : weakenings(lock, report.seen[lock])) {
      weakening_result row;
      row.what = std::move(each);
      report.rows.push_back(std::move(row));
    }
  std::size_t done = 0;
  in_processes(
      report.rows.size(), workers, [&](std::size_t i) { return to_json(run(report.rows[i].what, full)); },
      [&](std::size_t i, const nlohmann::json& data) {
        fill(report.rows[i], data);
        if (progress) progress(++done, report.rows.size());
      });
  return report;
}

}  // namespace hemlock::check
