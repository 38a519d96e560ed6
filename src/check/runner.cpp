#include "check/runner.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <thread>

namespace hemlock::check {
namespace {

struct child {
  pid_t process;
  int pipe;
  std::size_t index;
  std::string text;
};

child start(std::size_t index, const std::function<nlohmann::json(std::size_t)>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("cannot start a process");
  if (process == 0) {
    ::close(ends[0]);
    std::string text;
    try {
      text = work(index).dump();
    } catch (const std::exception& error) {
      text = nlohmann::json{{"crash", error.what()}}.dump();
    }
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t part = ::write(ends[1], text.data() + sent, text.size() - sent);
      if (part <= 0) break;
      sent += static_cast<std::size_t>(part);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  return {process, ends[0], index, ""};
}

/// False at the end.
bool receive(child& from) {
  char buffer[65536];
  const ssize_t part = ::read(from.pipe, buffer, sizeof buffer);
  if (part <= 0) return false;
  from.text.append(buffer, static_cast<std::size_t>(part));
  return true;
}

nlohmann::json finish(child& ended) {
  ::close(ended.pipe);
  int status = 0;
  ::waitpid(ended.process, &status, 0);
  auto data = nlohmann::json::parse(ended.text, nullptr, false);
  if (!data.is_discarded()) return data;
  const std::string how = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "no result";
  return {{"crash", how}};
}

}  // namespace

void in_processes(std::size_t count, unsigned workers, const std::function<nlohmann::json(std::size_t)>& work,
                  const std::function<void(std::size_t, const nlohmann::json&)>& done) {
  std::vector<child> running;
  std::size_t next = 0;
  while (next < count || !running.empty()) {
    while (next < count && running.size() < workers) running.push_back(start(next++, work));
    std::vector<pollfd> waits;
    for (const auto& each : running) waits.push_back({each.pipe, POLLIN, 0});
    ::poll(waits.data(), waits.size(), -1);
    for (std::size_t i = running.size(); i-- > 0;) {
      if (waits[i].revents == 0 || receive(running[i])) continue;
      const nlohmann::json data = finish(running[i]);
      const std::size_t index = running[i].index;
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      done(index, data);
    }
  }
}

// The mutex sleeps in more ways than any other, so these programs are too large for every day.
std::size_t quick_limit(const check_case& one) {
  const std::string name = one.name();
  const bool large = name == "mutex/park/one-lock/2+1+1" || name == "mutex/park/try-lock/2+1+1" ||
                     name == "mutex/park/timed/1+1+1";
  return large ? 500'000 : 3'000'000;
}

settings settings_of(const job& one) {
  settings how = one.what->how;
  how.changes = one.changes;
  how.max_preemptions = one.max_preemptions;
  how.max_states = one.max_states != 0 ? one.max_states : one.full ? 12'000'000 : quick_limit(*one.what);
  return how;
}

job_result run(const job& one) {
  const auto what = one.what->make();
  const settings how = settings_of(one);
  exploration found = explore(*what, how);
  job_result result;
  result.wrong = found.wrong;
  result.path = std::move(found.path);
  result.steps = std::move(found.steps);
  result.states = found.states;
  result.transitions = found.transitions;
  result.executions = found.executions;
  result.seconds = found.seconds;
  result.complete = found.complete;
  result.max_preemptions = how.max_preemptions;
  result.operations = std::move(found.operations);
  return result;
}

std::vector<job_result> run_all(const std::vector<job>& jobs,
                                const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<job_result> results(jobs.size());
  // The longest first, so that no worker is left alone with one at the end.
  std::vector<std::size_t> turns(jobs.size());
  for (std::size_t i = 0; i < turns.size(); ++i) turns[i] = i;
  std::stable_sort(turns.begin(), turns.end(), [&](std::size_t a, std::size_t b) {
    return jobs[a].what->threads > jobs[b].what->threads;
  });
  std::size_t finished = 0;
  in_processes(
      jobs.size(), std::max(1U, std::thread::hardware_concurrency()),
      [&](std::size_t i) { return to_json(run(jobs[turns[i]])); },
      [&](std::size_t i, const nlohmann::json& data) {
        results[turns[i]] = result_from(data);
        if (progress) progress(++finished, turns[i]);
      });
  return results;
}

nlohmann::json to_json(const job_result& result) {
  nlohmann::json path = nlohmann::json::array();
  for (const auto& each : result.path) path.push_back({each.thread, each.option, each.spurious ? 1 : 0});
  nlohmann::json operations = nlohmann::json::object();
  for (const auto& [label, seen] : result.operations)
    for (const auto& each : seen)
      operations[label].push_back(
          {static_cast<int>(each.what), static_cast<int>(each.order), each.file, each.function, each.line});
  return {{"violation", static_cast<int>(result.wrong.kind)},
          {"text", result.wrong.text},
          {"path", path},
          {"steps", result.steps},
          {"states", result.states},
          {"transitions", result.transitions},
          {"executions", result.executions},
          {"seconds", result.seconds},
          {"complete", result.complete},
          {"max_preemptions", result.max_preemptions},
          {"operations", operations}};
}

job_result result_from(const nlohmann::json& data) {
  job_result result;
  if (data.contains("crash")) {
    result.wrong = {violation_kind::runaway,
                    "the checked program crashed: " + data["crash"].get<std::string>()};
    return result;
  }
  result.wrong = {static_cast<violation_kind>(data["violation"].get<int>()), data["text"].get<std::string>()};
  for (const auto& each : data["path"])
    result.path.push_back(
        {each[0].get<std::uint8_t>(), each[1].get<std::uint16_t>(), each[2].get<int>() != 0});
  result.steps = data["steps"].get<std::vector<std::string>>();
  result.states = data["states"].get<std::uint64_t>();
  result.transitions = data["transitions"].get<std::uint64_t>();
  result.executions = data["executions"].get<double>();
  result.seconds = data["seconds"].get<double>();
  result.complete = data["complete"].get<bool>();
  result.max_preemptions = data["max_preemptions"].get<int>();
  for (const auto& [label, seen] : data["operations"].items())
    for (const auto& each : seen)
      result.operations[label].insert(
          {static_cast<action>(each[0].get<int>()), static_cast<std::memory_order>(each[1].get<int>()),
           each[2].get<std::string>(), each[3].get<std::string>(), each[4].get<std::uint32_t>()});
  return result;
}

nlohmann::json to_json(const mutations& changes) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& each : changes.all())
    list.push_back({{"label", each.label},
                    {"kind", static_cast<int>(each.kind)},
                    {"order", static_cast<int>(each.to)},
                    {"value", each.value},
                    {"function", each.function},
                    {"line", each.line}});
  return list;
}

mutations mutations_from(const nlohmann::json& data) {
  mutations changes;
  for (const auto& each : data)
    changes.add(
        {each.at("label").get<std::string>(), static_cast<mutation::kind_type>(each.at("kind").get<int>()),
         static_cast<std::memory_order>(each.at("order").get<int>()), each.at("value").get<std::uint64_t>(),
         each.at("function").get<std::string>(), each.at("line").get<std::uint32_t>()});
  return changes;
}

nlohmann::json replay_file(const job& one, const job_result& result) {
  return {{"case", one.what->name()},
          {"full", one.full},
          {"max_preemptions", one.max_preemptions},
          {"changes", to_json(one.changes)},
          {"verdict", name_of(result.wrong.kind)},
          {"path", to_json(result)["path"]}};
}

job_result replay(const nlohmann::json& file) {
  const auto name = file.at("case").get<std::string>();
  const auto& all = all_cases();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const check_case& each) { return each.name() == name; });
  if (found == all.end()) throw std::invalid_argument("the file is about " + name + ", which is not known");
  job one{&*found, mutations_from(file.at("changes")), file.at("full").get<bool>(), 0,
          file.at("max_preemptions").get<int>()};
  std::vector<choice> path;
  for (const auto& each : file.at("path"))
    path.push_back({each[0].get<std::uint8_t>(), each[1].get<std::uint16_t>(), each[2].get<int>() != 0});
  const auto what = one.what->make();
  exploration told = replay(*what, settings_of(one), path);
  job_result result;
  result.wrong = told.wrong;
  result.path = path;
  result.steps = std::move(told.steps);
  return result;
}

}  // namespace hemlock::check
