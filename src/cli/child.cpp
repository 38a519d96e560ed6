#include "cli/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "cli/command.hpp"
#include "cli/program_arguments.hpp"
#include "report/interrupt.hpp"

namespace hemlock::cli {
namespace {

using clock = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

class descriptor {
public:
  descriptor(int number, const char* what) : number_{number} {
    if (number < 0) throw std::system_error{errno, std::generic_category(), what};
  }
  ~descriptor() { ::close(number_); }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int number() const { return number_; }

private:
  int number_;
};

std::string content_of(const descriptor& file) {
  std::string text;
  char block[65536];
  off_t place = 0;
  while (true) {
    const auto count = ::pread(file.number(), block, sizeof block, place);
    if (count <= 0) return text;
    text.append(block, static_cast<std::size_t>(count));
    place += count;
  }
}

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  const auto begin = text.find_last_of('\n');
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

std::vector<std::string> changed_environment(const environment& changes) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto name = text.substr(0, text.find('='));
    if (std::none_of(changes.begin(), changes.end(), [&](const auto& one) { return one.first == name; }))
      all.emplace_back(text);
  }
  for (const auto& [name, value] : changes)
    if (!value.empty()) all.push_back(name + '=' + value);
  return all;
}

/// posix_spawn's two descriptions, freed with us.
class spawn_plan {
public:
  spawn_plan(int out, int err) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, err, STDERR_FILENO);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t ours;
    ::sigemptyset(&ours);
    ::sigaddset(&ours, SIGINT);
    ::sigaddset(&ours, SIGTERM);
    ::sigaddset(&ours, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &ours);
  }
  ~spawn_plan() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  spawn_plan(const spawn_plan&) = delete;
  spawn_plan& operator=(const spawn_plan&) = delete;

  int start(const child_order& order, pid_t& child) const {
    const auto variables = changed_environment(order.changes);
    const auto arguments = argument_pointers(order.command);
    const auto pointers = argument_pointers(variables);
    return ::posix_spawnp(&child, arguments[0], &files_, &attributes_, arguments.data(), pointers.data());
  }

private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

/// False at the deadline, or when the user interrupts. Looks up five times a second: a signal that comes just
/// before poll() does not end it.
bool wait_until(int pidfd, clock::time_point deadline) {
  while (!report::interrupt_guard::interrupted()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now()).count();
    if (left <= 0) return false;
    pollfd watched{pidfd, POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(std::min<long>(left, 200))) > 0) return true;
  }
  return false;
}

bool ended_within(int pidfd, std::chrono::milliseconds time) {
  pollfd watched{pidfd, POLLIN, 0};
  const auto deadline = clock::now() + time;
  while (clock::now() < deadline)
    if (::poll(&watched, 1, static_cast<int>(time.count())) > 0) return true;
  return false;
}

}  // namespace

int child_run::exit_code() const {
  switch (how) {
    case end::exited:
      return number;
    case end::signalled:
      return 128 + number;
    case end::timed_out:
      return 124;
    case end::interrupted:
      return 128 + number;
    case end::not_started:
      return number == ENOENT ? not_found : cannot_execute;
  }
  return own_failure;
}

std::string child_run::describe() const {
  std::string text;
  switch (how) {
    case end::exited:
      text = fmt::format("exit code {}", number);
      break;
    case end::signalled: {
      const char* name = ::sigabbrev_np(number);
      text =
          name == nullptr ? fmt::format("killed by signal {}", number) : fmt::format("killed by SIG{}", name);
      break;
    }
    case end::timed_out:
      text = fmt::format("did not end within {:g} s", wall.count());
      break;
    case end::interrupted:
      text = "interrupted";
      break;
    case end::not_started:
      text = fmt::format("cannot be started: {}", std::strerror(number));
      break;
  }
  return last_words.empty() ? text : fmt::format("{} ({})", text, last_words);
}

child_run run_child(const child_order& order) {
  child_run result;
  const descriptor out{order.keep_output ? ::memfd_create("hemlock-out", MFD_CLOEXEC)
                                         : ::open("/dev/null", O_WRONLY | O_CLOEXEC),
                       "keeping the program's output"};
  const descriptor err{::memfd_create("hemlock-err", MFD_CLOEXEC), "keeping the program's output"};
  const spawn_plan plan{out.number(), err.number()};
  pid_t child = 0;
  const auto begin = clock::now();
  if (const int error = plan.start(order, child); error != 0) {
    result.number = error;
    return result;
  }
  // By number: glibc 2.36 declares pidfd_open without C linkage.
  const descriptor handle{static_cast<int>(::syscall(SYS_pidfd_open, child, 0)), "watching the program"};
  const bool ended =
      wait_until(handle.number(), begin + std::chrono::duration_cast<clock::duration>(order.timeout));
  result.wall = clock::now() - begin;
  if (!ended) {
    ::kill(-child, SIGTERM);
    if (!ended_within(handle.number(), std::chrono::milliseconds{500})) ::kill(-child, SIGKILL);
  }
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  if (!ended) ::kill(-child, SIGKILL);  // what the program left behind in its group
  const auto of = [](const timeval& time) {
    return seconds{static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec)};
  };
  result.cpu = of(used.ru_utime) + of(used.ru_stime);
  result.max_rss_bytes = 1024.0 * static_cast<double>(used.ru_maxrss);
  if (!ended && report::interrupt_guard::interrupted()) {
    result.how = child_run::end::interrupted;
    result.number = report::interrupt_guard::signal();
  } else if (!ended) {
    result.how = child_run::end::timed_out;
    result.wall = order.timeout;
  } else if (WIFSIGNALED(status)) {
    result.how = child_run::end::signalled;
    result.number = WTERMSIG(status);
  } else {
    result.how = child_run::end::exited;
    result.number = WEXITSTATUS(status);
  }
  if (order.keep_output) result.out = content_of(out);
  result.last_words = last_line(content_of(err));
  return result;
}

}  // namespace hemlock::cli
