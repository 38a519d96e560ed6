#include <nlohmann/json.hpp>

#include "profile/views.hpp"
#include "report/document.hpp"

namespace hemlock::profile {
namespace {

using nlohmann::json;

json buckets(const histogram& counts) {
  json all = json::array();
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] != 0)
      all.push_back({{"from_ns", bucket_floor(i)}, {"below_ns", bucket_floor(i + 1)}, {"count", counts[i]}});
  return all;
}

json parts(const std::vector<stack_part>& all) {
  json list = json::array();
  for (const auto& one : all)
    list.push_back(
        {{"stack", one.stack}, {"count", one.count}, {"time_ns", one.time}, {"longest_ns", one.longest}});
  return list;
}

json lock_json(const lock_view& lock) {
  return {{"name", lock.name},
          {"site", lock.site},
          {"address", lock.address},
          {"mutexes", lock.mutexes},
          {"acquisitions", lock.acquisitions},
          {"contended", lock.contended},
          {"wait_ns", lock.wait},
          {"longest_wait_ns", lock.longest_wait},
          {"wait_for_holder_ns", lock.blamed},
          {"hold_ns", lock.hold},
          {"mean_hold_ns", lock.mean_hold},
          {"longest_hold_ns", lock.longest_hold},
          {"owner_changes", lock.owner_changes},
          {"longest_queue", lock.longest_queue},
          {"try_failures", lock.try_failures},
          {"timeouts", lock.timeouts},
          {"condition_waits", lock.condition_waits},
          {"condition_wait_ns", lock.condition_time},
          {"waits", buckets(lock.waits)},
          {"holds", buckets(lock.holds)},
          {"waited_at", parts(lock.waiters)},
          {"blamed_at", parts(lock.blamed_at)},
          {"held_at", parts(lock.holders)}};
}

}  // namespace

json json_of(const profile& all, const std::string& command) {
  json document = report::document(command);
  json& out = document["profile"];
  out["program"] = all.command;
  out["process"] = all.header.process;
  out["recorded_by"] = all.header.tool_version;
  out["lock"] = all.header.lock;
  out["wait_policy"] = all.header.wait;
  out["sample"] = all.header.sample;
  out["seconds"] = all.seconds;
  out["complete"] = all.closed;
  out["warnings"] = all.warnings;
  out["verdict"] = verdict_of(all, order_by::wait);
  out["acquisitions"] = all.total_acquisitions;
  out["contended"] = all.total_contended;
  out["wait_ns"] = all.total_wait;
  out["threads"] = all.threads.size();
  out["most_locks_held"] = all.most_held;
  out["nested_calls"] = all.nested_calls;
  out["last_nested_call_ns"] = all.last_nested;
  out["most_waiting_on_one_grant"] = all.most_followers;
  out["other_processes"] = all.other_processes;
  out["locks"] = json::array();
  for (const auto& lock : all.locks) out["locks"].push_back(lock_json(lock));
  out["stacks"] = json::object();
  for (const auto& [where, frames] : all.stacks) {
    json list = json::array();
    for (const auto& frame : frames)
      list.push_back({{"function", frame.function},
                      {"file", frame.file},
                      {"line", frame.line},
                      {"inlined", frame.inlined}});
    out["stacks"][std::to_string(where)] = std::move(list);
  }
  out["lock_order"] = json::array();
  for (const auto& edge : all.edges)
    out["lock_order"].push_back({{"held", all.locks[edge.from].name},
                                 {"taken", all.locks[edge.to].name},
                                 {"count", edge.count},
                                 {"stack", edge.stack}});
  out["circles"] = json::array();
  for (const auto& cycle : all.cycles) {
    json names = json::array();
    for (const std::size_t edge : cycle.edges) names.push_back(all.locks[all.edges[edge].from].name);
    out["circles"].push_back(
        {{"locks", names}, {"one_thread", cycle.one_thread}, {"guarded", cycle.guarded}});
  }
  return document;
}

}  // namespace hemlock::profile
