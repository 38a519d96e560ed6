// What a reader must know of the machine to judge a measurement made on it.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace hemlock::report {

/// What cannot be read is absent, never guessed.
struct machine {
  std::string cpu;                     ///< the model's name
  std::string architecture;            ///< as uname -m
  int cpus_online = 1;                 ///< hardware threads
  int cores = 1;                       ///< physical cores among them
  int cpu_budget = 1;                  ///< CPUs this process may really use
  std::optional<double> cgroup_quota;  ///< in CPUs, not rounded
  std::optional<bool> smt;             ///< whether cores run more than one hardware thread
  std::string kernel;
  std::string libc;
  std::string compiler;
  std::string build_type;
  std::string sanitizer;  ///< empty in a build fit for measuring
  std::optional<std::array<double, 3>> load_average;
  std::optional<double> mhz;              ///< of the first CPU, now
  std::optional<std::string> governor;    ///< of the first CPU
  std::optional<std::string> hypervisor;  ///< its name, or "unnamed" when there is one that does not say
};

/// Reads /proc and /sys. `root` is where they hang: "" on a real system, a folder in tests.
machine this_machine(const std::string& root = "");

void to_json(nlohmann::json& json, const machine& facts);
void from_json(const nlohmann::json& json, machine& facts);

/// One line for the top of a table or a page: "AMD EPYC, 2 cores, 2 CPUs usable, Linux 6.1, glibc 2.36".
std::string one_line(const machine& facts);

}  // namespace hemlock::report
