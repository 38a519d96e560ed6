// hemlock profile: runs a program with the recorder in its mutexes, then says what hurts.
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/preloading.hpp"
#include "cli/program_arguments.hpp"
#include "cli/served_locks.hpp"
#include "profile/views.hpp"
#include "report/outputs.hpp"

namespace hemlock::cli {
namespace {

struct options {
  std::string file = "hemlock.prof";
  std::string lock = "mutex";
  std::string wait;
  int sample = 0;
  bool quiet = false;
};

volatile sig_atomic_t child_process = 0;

void pass_on(int signal) {
  if (child_process > 0) ::kill(static_cast<pid_t>(child_process), signal);
}

/// What a shell does: the terminal's signals reach the program by themselves, others we pass on.
void stand_by() {
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGQUIT, SIG_IGN);
  ::signal(SIGTERM, pass_on);
  ::signal(SIGHUP, pass_on);
}

/// Its exit code as a shell tells it.
int run_and_wait(const std::vector<std::string>& program, const environment& changes) {
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0)
    throw std::runtime_error{fmt::format("pipe: {}", std::strerror(errno))};
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error{fmt::format("fork: {}", std::strerror(errno))};
  if (child == 0) {
    take_on(changes);
    auto arguments = argument_pointers(program);
    ::execvp(arguments[0], arguments.data());
    const int error = errno;
    [[maybe_unused]] const auto ignored = ::write(report[1], &error, sizeof error);
    ::_exit(error == ENOENT ? not_found : cannot_execute);
  }
  child_process = child;
  stand_by();
  ::close(report[1]);
  int error = 0;
  if (::read(report[0], &error, sizeof error) == static_cast<ssize_t>(sizeof error))
    fmt::print(stderr, "hemlock profile: {}: {}\n", program[0], std::strerror(error));
  ::close(report[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (error == 0 && WIFSIGNALED(status))
    fmt::print(stderr, "hemlock profile: {} was ended by signal {} ({})\n", program[0], WTERMSIG(status),
               ::strsignal(WTERMSIG(status)));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Profiles of an earlier run, its other processes' too.
void remove_old(const std::string& path) {
  namespace fs = std::filesystem;
  if (fs::exists(path) && !profile::is_profile(path))
    throw usage_error{fmt::format("{} exists and is not a profile: it is not overwritten", path)};
  std::error_code ignored;
  fs::remove(path, ignored);
  const fs::path self{path};
  const std::string prefix = self.filename().string() + '.';
  for (const auto& entry : fs::directory_iterator{self.parent_path(), ignored}) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(prefix) &&
        name.find_first_not_of("0123456789", prefix.size()) == std::string::npos &&
        profile::is_profile(entry.path().string()))
      fs::remove(entry.path(), ignored);
  }
}

void tell(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    fmt::print(
        stderr,
        "hemlock profile: nothing was recorded: the program locked no mutex, or it is statically linked, "
        "or has ThreadSanitizer\n");
    return;
  }
  const auto all = profile::load(path, profile::grouping::lock, profile::order_by::wait);
  fmt::print(stderr, "hemlock profile: {}\n", profile::verdict_of(all, profile::order_by::wait));
  for (const auto& cycle : all.cycles)
    if (!cycle.one_thread && !cycle.guarded) {
      fmt::print(stderr, "hemlock profile: locks are taken in opposite orders: they can deadlock\n");
      break;
    }
  fmt::print(stderr, "Next: hemlock report {}\n", path);
}

}  // namespace

void add_profile(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand("profile", "Find which lock of a program hurts, and who holds it.");
  auto asked = std::make_shared<options>();
  command->add_option("-o,--output", asked->file, "Where to write the profile; other processes get FILE.PID")
      ->type_name("FILE")
      ->capture_default_str();
  command
      ->add_option("-l,--lock,--locks", asked->lock,
                   "The lock inside the program's mutexes; see `hemlock list`")
      ->type_name("LOCK")
      ->capture_default_str();
  command->add_option("-w,--wait", asked->wait, "How threads wait: spin, yield, park or auto")
      ->type_name("POLICY");
  command
      ->add_option("--sample", asked->sample,
                   "Time one hold in N (127 unless told; 1: all). Counts and waits are always complete")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("-q,--quiet", asked->quiet, "Say nothing at the end");
  take_program(*command);
  command->footer(
      "Exit code: the program's own, or 128 and the signal that ended it; 125 if we fail, 126 if the program "
      "cannot\n"
      "be run, 127 if it is not there.");
  command->callback([asked, command, &result] {
    const auto program = program_of(*command, result);
    if (asked->lock == native_name || asked->lock == "pthread")
      throw usage_error{fmt::format(
          "lock '{}' is not ours, and the recorder sits in ours: choose another, or none", asked->lock)};
    check_lock(asked->lock, asked->wait);
    const auto path = std::filesystem::absolute(asked->file).string();
    report::check_writable(path);
    remove_old(path);
    auto changes = environment_for(asked->lock, asked->wait, false, profile_file);
    changes.emplace_back("HEMLOCK_PROFILE", path);
    changes.emplace_back("HEMLOCK_PROFILE_SAMPLE",
                         asked->sample == 0 ? "" : fmt::format("{}", asked->sample));
    result.code = run_and_wait(program, changes);
    if (!asked->quiet && result.code != not_found && result.code != cannot_execute) tell(path);
  });
}

}  // namespace hemlock::cli
