// hemlock doctor: what would spoil a measurement here, and whether a program can have our locks.
#include <fmt/core.h>
#include <linux/perf_event.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.hpp"
#include "cli/elf_facts.hpp"
#include "cli/preloading.hpp"
#include "cli/program_arguments.hpp"
#include "report/document.hpp"
#include "report/machine.hpp"
#include "report/machine_warnings.hpp"
#include "report/outputs.hpp"
#include "report/table.hpp"

namespace hemlock::cli {
namespace {

/// `good` is fine; `note` is worth knowing; `bad` spoils or prevents.
enum class grade { good, note, bad };

struct finding {
  grade how;
  std::string what;
  std::string remedy = {};
};
using findings = std::vector<finding>;

/// Counts this thread's instructions for a moment; the kernel, the machine or a sandbox may refuse.
int hardware_counter_error() {
  perf_event_attr wanted{};
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.size = sizeof wanted;
  wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
  wanted.exclude_kernel = 1;
  wanted.disabled = 1;
  const long file = ::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0);
  if (file < 0) return errno;
  ::close(static_cast<int>(file));
  return 0;
}

findings examine_machine(const report::machine& facts) {
  findings all;
  for (auto& [what, remedy] : report::machine_warnings(facts)) all.push_back({grade::bad, what, remedy});
  if (!facts.cgroup_quota) all.push_back({grade::good, "No CPU quota."});
  if (facts.load_average && facts.load_average->at(0) <= 0.5 * facts.cpus_online)
    all.push_back(
        {grade::good, fmt::format("The machine is quiet: load average {:.2f}.", facts.load_average->at(0))});
  if (!facts.governor)
    all.push_back({grade::note,
                   "The CPU's frequency governor cannot be read, so the frequency may change under way.",
                   "Interleaved runs, as `compare` and `bench` make them, spread that evenly."});
  else if (*facts.governor == "performance")
    all.push_back({grade::good, "The CPU runs at a steady frequency."});
  if (facts.smt == true)
    all.push_back({grade::note,
                   "Hardware threads share cores (SMT), so two CPUs may be slower than two cores.",
                   "Use `--pin scatter`, or echo off > /sys/devices/system/cpu/smt/control"});
  if (facts.cpu_budget < facts.cpus_online)
    all.push_back(
        {grade::note, fmt::format("Of {} CPUs this process may use {}.", facts.cpus_online, facts.cpu_budget),
         "See taskset(1) and the cgroup's cpu.max; more threads than that wait for a CPU, not for a lock."});
  if (facts.cpu_budget == 1)
    all.push_back({grade::bad,
                   "With one CPU no two threads run at once, so there is no contention to measure.",
                   "Measure on a machine with more."});
  if (facts.hypervisor)
    all.push_back({grade::note, "This is a virtual machine: its CPUs can be taken away at any moment.",
                   "Make more runs, and compare only what one command measured."});
  if (const int error = hardware_counter_error(); error != 0)
    all.push_back({grade::note, fmt::format("No hardware counters ({}).", std::strerror(error)),
                   error == EACCES || error == EPERM ? "sysctl kernel.perf_event_paranoid=1"
                                                     : "Times and counts made by us work without them."});
  else
    all.push_back({grade::good, "Hardware counters can be read."});
  return all;
}

bool has_file_capabilities(const std::string& path) {
  return ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

void examine_file(const std::string& path, findings& all, int depth) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0)
    all.push_back({grade::bad, fmt::format("{} is setuid or setgid, so the loader ignores LD_PRELOAD.", path),
                   "Run a copy without these bits, as a user who may do what it does."});
  if (has_file_capabilities(path))
    all.push_back({grade::bad,
                   fmt::format("{} has file capabilities, so the loader ignores LD_PRELOAD.", path),
                   "Run a copy: cp does not keep them."});
  const auto facts = read_elf(path);
  if (!facts.script_interpreter.empty() && depth < 4) {
    all.push_back({grade::note, fmt::format("{} is a script of {}; that and all it starts gets our locks.",
                                            path, facts.script_interpreter)});
    if (const auto interpreter = find_program(facts.script_interpreter))
      examine_file(*interpreter, all, depth + 1);
    return;
  }
  if (!facts.is_elf) {
    all.push_back({grade::bad, fmt::format("{} is neither an ELF program nor a script.", path),
                   "Name the program itself."});
    return;
  }
  if (!facts.dynamic) {
    all.push_back({grade::bad,
                   fmt::format("{} is linked statically: there is no loader that could put us first.", path),
                   "Link it dynamically, or use hemlock::mutex in its source."});
    return;
  }
  if (!facts.ours)
    all.push_back({grade::bad,
                   fmt::format("{} is a program for {}, unlike our library.", path, facts.machine),
                   "Build Hemlock for that machine and word size."});
  const auto names = [&](const char* part) {
    return facts.loader.find(part) != std::string::npos ||
           std::any_of(facts.needed.begin(), facts.needed.end(),
                       [&](const auto& one) { return one.find(part) != std::string::npos; });
  };
  if (names("musl"))
    all.push_back({grade::bad, fmt::format("{} uses the C library musl; ours knows glibc's mutexes.", path),
                   "Build it against glibc, or use hemlock::mutex in its source."});
  else if (facts.loader.find("ld-linux") == std::string::npos)
    all.push_back({grade::bad,
                   fmt::format("{} is loaded by {}, which is not glibc's loader.", path, facts.loader),
                   "Build it against glibc, or use hemlock::mutex in its source."});
  if (names("libtsan"))
    all.push_back(
        {grade::note,
         fmt::format("{} has ThreadSanitizer, which must see every lock: ours leave them all to it.", path),
         "Measure a build without it."});
  if (names("libasan"))
    all.push_back({grade::note,
                   fmt::format("{} has AddressSanitizer, which insists on being loaded first.", path),
                   "Run it with ASAN_OPTIONS=verify_asan_link_order=0; measure a build without it."});
  if (facts.go)
    all.push_back(
        {grade::note,
         fmt::format("{} is a Go program: its sync.Mutex is part of the Go runtime, not of libc.", path),
         "Only C code in it would get our locks."});
  else if (!facts.calls_mutexes)
    all.push_back({grade::note, fmt::format("{} calls no mutex function itself; its libraries may.", path),
                   "`hemlock run --stats` shows how often a lock was taken."});
}

findings examine_program(const std::string& path) {
  findings all;
  examine_file(path, all, 0);
  if (!find_preload_library())
    all.push_back({grade::bad, fmt::format("{} is neither beside this tool nor in ../lib.", preload_file),
                   "Build it: make build."});
  if (const char* others = std::getenv("LD_PRELOAD"); others != nullptr && *others != '\0')
    all.push_back(
        {grade::note, fmt::format("LD_PRELOAD is set already: {}.", others),
         "Ours goes first and the others stay; one that replaces mutexes too would never be asked."});
  std::error_code ignored;
  if (std::filesystem::exists("/etc/ld.so.preload", ignored))
    all.push_back({grade::note, "/etc/ld.so.preload puts libraries into every program, before LD_PRELOAD's.",
                   "Look whether one of them replaces mutexes."});
  if (std::none_of(all.begin(), all.end(), [](const finding& one) { return one.how == grade::bad; }))
    all.insert(all.begin(), {grade::good, fmt::format("{} can be served by the preload library.", path)});
  return all;
}

void print(const findings& all, bool colour) {
  for (const auto& one : all) {
    const auto sign = one.how == grade::good   ? report::painted("ok  ", report::tone::good, colour)
                      : one.how == grade::note ? report::painted("note", report::tone::strong, colour)
                                               : report::painted("bad ", report::tone::bad, colour);
    fmt::print("{}  {}\n", sign, one.what);
    if (!one.remedy.empty())
      fmt::print("      {}\n", report::painted(one.remedy, report::tone::faint, colour));
  }
}

nlohmann::json json_of(const findings& all) {
  auto json = nlohmann::json::array();
  for (const auto& one : all)
    json.push_back({{"grade", one.how == grade::good   ? "ok"
                              : one.how == grade::note ? "note"
                                                       : "bad"},
                    {"what", one.what},
                    {"remedy", one.remedy}});
  return json;
}

int examine(const std::vector<std::string>& program, const std::string& json_file,
            const std::string& command) {
  report::check_writable(json_file);
  const auto facts = report::this_machine();
  const auto of_machine = examine_machine(facts);
  findings of_program;
  if (!program.empty()) {
    const auto path = find_program(program[0]);
    if (!path) {
      fmt::print(stderr, "hemlock doctor: {}: no such program\n", program[0]);
      return not_found;
    }
    of_program = examine_program(*path);
  }
  if (json_file != "-") {
    const bool colour = report::colour_wanted(stdout);
    fmt::print("{}\n\n", report::one_line(facts));
    print(of_machine, colour);
    if (!program.empty()) fmt::print("\n{}\n", report::painted(program[0], report::tone::strong, colour));
    print(of_program, colour);
  }
  if (!json_file.empty()) {
    auto json = report::document(command);
    json["machine_findings"] = json_of(of_machine);
    json["program_findings"] = json_of(of_program);
    report::write_text(json_file, json.dump(2) + '\n');
  }
  const bool served = std::none_of(of_program.begin(), of_program.end(),
                                   [](const auto& one) { return one.how == grade::bad; });
  return served ? success : unexpected_verdict;
}

}  // namespace

void add_doctor(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand(
      "doctor", "Say what would spoil a measurement here, and whether a program can have our locks.");
  auto json = std::make_shared<std::string>();
  command->add_option("--json", *json, "Write the findings as JSON; without a file name to standard output")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str("-");
  take_program(*command);
  command->footer(
      "Exit code: 1 if a program was named and cannot have our locks, 127 if it is not there, else 0.");
  command->callback([command, json, &result] {
    result.code = examine(optional_program_of(*command, result), *json, result.command);
  });
}

}  // namespace hemlock::cli
