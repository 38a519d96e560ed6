// Runs checks, several at a time, each in a process of its own: a crash is a verdict too, and memory is given back.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/catalogue.hpp"
#include "check/explorer.hpp"

namespace hemlock::check {

/// A case with changes to the lock; what came out.
struct job {
  const check_case* what = nullptr;
  mutations changes;
  bool full = false;
  std::size_t max_states = 0;  ///< 0: as many as the size allows
  int max_preemptions = -1;    ///< -1: any number
};

struct job_result {
  violation wrong;
  std::vector<choice> path;
  std::vector<std::string> steps;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  double executions = 0;
  double seconds = 0;
  bool complete = true;
  int max_preemptions = -1;
  std::map<std::string, std::set<operation_seen>> operations;
};

/// How many states of a case the quick size looks at; those that are not through by then say so.
std::size_t quick_limit(const check_case& one);

settings settings_of(const job& one);
job_result run(const job& one);

/// `work(i)` for each i below `count`, in child processes, `workers` at a time; `done(i, result)` in this one, in the
/// order in which they end. A child that dies gives {"crash": reason}.
void in_processes(std::size_t count, unsigned workers, const std::function<nlohmann::json(std::size_t)>& work,
                  const std::function<void(std::size_t, const nlohmann::json&)>& done);

/// All jobs; results in the order of the jobs.
std::vector<job_result> run_all(const std::vector<job>& jobs,
                                const std::function<void(std::size_t done, std::size_t last)>& progress = {});

nlohmann::json to_json(const job_result& result);
job_result result_from(const nlohmann::json& data);

/// A violation as a file that `hemlock check --replay` runs again.
nlohmann::json replay_file(const job& one, const job_result& result);
/// Throws std::invalid_argument if the file names nothing that we know.
job_result replay(const nlohmann::json& file);

nlohmann::json to_json(const mutations& changes);
mutations mutations_from(const nlohmann::json& data);

}  // namespace hemlock::check
