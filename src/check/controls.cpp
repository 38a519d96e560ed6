#include "check/controls.hpp"

namespace hemlock::check {
namespace {

mutation answers(const char* label) {
  return {label, mutation::answer, std::memory_order_relaxed, 0};
}

std::vector<control> make() {
  std::vector<control> all;
  const std::vector<std::string> short_ones = {"one-lock/1+1", "one-lock/2+2", "multi-waiting/1+1+1",
                                               "one-lock/2+1+1"};
  all.push_back(
      {"hemlock-overlap", "arrival does not wait for the last answer", {answers("unanswered")}, short_ones});
  for (const char* lock :
       {"hemlock-naive", "hemlock-ctr", "hemlock-ah", "hemlock-marked", "hemlock-hinted", "hemlock-polite",
        "hemlock-stack", "hemlock-table", "hemlock-futex", "hemlock-cv", "hemlock-signal", "hemlock-overlap"})
    all.push_back({lock, "unlock does not wait for the acknowledgement", {answers("drained")}, short_ones});
  all.push_back({"hemlock-signal",
                 "the save and restore of Grant is not one step",
                 {{"pass", mutation::split, std::memory_order_relaxed, 0}},
                 {"signal/1+1+1", "signal/2+1+1"}});
  all.push_back({"hemlock-hinted",
                 "try_lock forgets to clear Waiting",
                 {{"try-clear", mutation::drop, std::memory_order_relaxed, 0}},
                 {"try-lock/2+0+1", "try-lock/2+1+1"}});
  all.push_back({"condition-variable",
                 "notify_one does not look for sleepers",
                 {{"glance", mutation::answer, std::memory_order_relaxed, 0, "notify_one"}},
                 {"notify-one/1+1"}});
  all.push_back({"hemlock-naive",
                 "Grant is a flag instead of the lock's address",
                 {{"take", mutation::lock_flag, std::memory_order_relaxed, 0}},
                 {"multi-waiting/1+1+1", "multi-waiting-reversed/1+1+1"}});
  return all;
}

}  // namespace

const std::vector<control>& all_controls() {
  static const std::vector<control> controls = make();
  return controls;
}

control_result run(const control& one) {
  control_result result;
  for (const auto& wanted : one.scenarios)
    for (const auto& each : all_cases()) {
      if (each.lock != one.lock || each.scenario + "/" + each.size != wanted) continue;
      const job tried{&each, one.changes, false, 0, -1};
      result.last = run(tried);
      if (result.last.wrong) {
        result.failed_in = each.name();
        result.failed = tried;
        return result;
      }
    }
  return result;
}

}  // namespace hemlock::check
