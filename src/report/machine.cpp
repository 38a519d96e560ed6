#include "report/machine.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "hemlock/platform/cpu_budget.hpp"
#include "report/build_info.hpp"

namespace hemlock::report {
namespace {

std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file{path};
  std::string line;
  if (!std::getline(file, line) || line.empty()) return std::nullopt;
  return line;
}

struct cpuinfo {
  std::string model;
  std::set<std::pair<std::string, std::string>> cores;  ///< socket and core numbers
  std::optional<double> mhz;
  bool hypervisor = false;
};

cpuinfo read_cpuinfo(const std::string& path) {
  cpuinfo found;
  std::ifstream file{path};
  std::string socket;
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const auto key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const auto value = colon + 2 <= line.size() ? line.substr(colon + 2) : std::string{};
    if (key == "model name" && found.model.empty()) found.model = value;
    if (key == "physical id") socket = value;
    if (key == "core id") found.cores.emplace(socket, value);
    if (key == "cpu MHz" && !found.mhz) found.mhz = std::strtod(value.c_str(), nullptr);
    if (key == "flags" && (' ' + value + ' ').find(" hypervisor ") != std::string::npos)
      found.hypervisor = true;
  }
  return found;
}

/// The quota without rounding: half a CPU is worth knowing.
std::optional<double> exact_quota(const std::string& root) {
  const auto rounded = cgroup_cpu_quota(root.c_str());
  if (rounded >= detail::unlimited_cpus) return std::nullopt;
  if (const auto line = first_line(root + "/sys/fs/cgroup/cpu.max")) {
    std::istringstream words{*line};
    double quota = 0, period = 0;
    if (words >> quota >> period && period > 0) return std::min<double>(rounded, quota / period);
  }
  const auto quota = first_line(root + "/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  const auto period = first_line(root + "/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (quota && period && std::atof(quota->c_str()) > 0)
    return std::min<double>(rounded, std::atof(quota->c_str()) / std::atof(period->c_str()));
  return rounded;
}

std::optional<std::string> hypervisor_name(const std::string& root, bool present) {
  if (const auto type = first_line(root + "/sys/hypervisor/type")) return type;
  if (!present) return std::nullopt;
  std::string name;
  for (const char* file : {"/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name"})
    if (const auto line = first_line(root + file)) name += (name.empty() ? "" : " ") + *line;
  return name.empty() ? "unnamed" : name;
}

template <class T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

template <class T>
std::optional<T> if_present(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return std::nullopt;
  return found->get<T>();
}

}  // namespace

machine this_machine(const std::string& root) {
  machine facts;
  utsname names{};
  ::uname(&names);
  const auto cpus = read_cpuinfo(root + "/proc/cpuinfo");
  facts.architecture = names.machine;
  facts.cpu = cpus.model.empty() ? facts.architecture : cpus.model;
  facts.cpus_online = online_cpus();
  facts.cores = cpus.cores.empty() ? facts.cpus_online : static_cast<int>(cpus.cores.size());
  facts.cpu_budget = cpu_budget();
  facts.cgroup_quota = exact_quota(root);
  if (const auto active = first_line(root + "/sys/devices/system/cpu/smt/active")) facts.smt = *active == "1";
  facts.kernel = fmt::format("{} {}", names.sysname, names.release);
  facts.libc = fmt::format("glibc {}", ::gnu_get_libc_version());
  facts.compiler = compiler;
  facts.build_type = build_type;
  facts.sanitizer = sanitizer;
  if (const auto line = first_line(root + "/proc/loadavg")) {
    std::istringstream words{*line};
    std::array<double, 3> load{};
    if (words >> load[0] >> load[1] >> load[2]) facts.load_average = load;
  }
  const std::string frequency = root + "/sys/devices/system/cpu/cpu0/cpufreq/";
  facts.governor = first_line(frequency + "scaling_governor");
  facts.mhz = cpus.mhz;
  if (const auto khz = first_line(frequency + "scaling_cur_freq")) facts.mhz = std::atof(khz->c_str()) / 1000;
  facts.hypervisor = hypervisor_name(root, cpus.hypervisor);
  return facts;
}

void to_json(nlohmann::json& json, const machine& facts) {
  json = {{"cpu", facts.cpu},
          {"architecture", facts.architecture},
          {"cpus_online", facts.cpus_online},
          {"cores", facts.cores},
          {"cpu_budget", facts.cpu_budget},
          {"cgroup_quota", or_null(facts.cgroup_quota)},
          {"smt", or_null(facts.smt)},
          {"kernel", facts.kernel},
          {"libc", facts.libc},
          {"compiler", facts.compiler},
          {"build_type", facts.build_type},
          {"sanitizer", facts.sanitizer},
          {"load_average", or_null(facts.load_average)},
          {"mhz", or_null(facts.mhz)},
          {"governor", or_null(facts.governor)},
          {"hypervisor", or_null(facts.hypervisor)}};
}

void from_json(const nlohmann::json& json, machine& facts) {
  facts.cpu = json.value("cpu", "");
  facts.architecture = json.value("architecture", "");
  facts.cpus_online = json.value("cpus_online", 1);
  facts.cores = json.value("cores", 1);
  facts.cpu_budget = json.value("cpu_budget", 1);
  facts.cgroup_quota = if_present<double>(json, "cgroup_quota");
  facts.smt = if_present<bool>(json, "smt");
  facts.kernel = json.value("kernel", "");
  facts.libc = json.value("libc", "");
  facts.compiler = json.value("compiler", "");
  facts.build_type = json.value("build_type", "");
  facts.sanitizer = json.value("sanitizer", "");
  facts.load_average = if_present<std::array<double, 3>>(json, "load_average");
  facts.mhz = if_present<double>(json, "mhz");
  facts.governor = if_present<std::string>(json, "governor");
  facts.hypervisor = if_present<std::string>(json, "hypervisor");
}

std::string one_line(const machine& facts) {
  auto line = fmt::format("{}, {} core{}", facts.cpu, facts.cores, facts.cores == 1 ? "" : "s");
  if (facts.cpus_online != facts.cores) line += fmt::format(" with {} hardware threads", facts.cpus_online);
  if (facts.cpu_budget != facts.cpus_online) line += fmt::format(" of which {} usable", facts.cpu_budget);
  if (facts.hypervisor) line += ", virtual machine";
  line += fmt::format(", {}, {}, {}", facts.kernel, facts.libc, facts.compiler);
  if (!facts.sanitizer.empty()) line += fmt::format(", built with -fsanitize={}", facts.sanitizer);
  return line;
}

}  // namespace hemlock::report
