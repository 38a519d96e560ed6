#include "profile/record/begin.hpp"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "profile/record/recorder.hpp"
#include "profile/record/say.hpp"

#ifndef HEMLOCK_VERSION
#error "the build says which version this is"
#endif

namespace hemlock::profile::record {
namespace {

constexpr std::uint32_t default_sample = 127;

constinit const char* lock_name = "mutex";
constinit const char* wait_name = "auto";
constinit std::uint64_t start_clock = 0;

std::uint64_t clock_now(clockid_t clock) noexcept {
  timespec time;
  ::clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

void read_into(const char* path, char* text, std::size_t size) noexcept {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const auto length = ::read(file, text, size - 1);
  text[length > 0 ? length : 0] = '\0';
  ::close(file);
}

std::uint32_t sample_setting() noexcept {
  const char* const text = ::secure_getenv("HEMLOCK_PROFILE_SAMPLE");
  if (text == nullptr || *text == '\0') return default_sample;
  char* end = nullptr;
  errno = 0;
  const unsigned long value = ::strtoul(text, &end, 10);
  if (*end == '\0' && errno == 0 && value >= 1 && value <= 1'000'000)
    return static_cast<std::uint32_t>(value);
  say("HEMLOCK_PROFILE_SAMPLE=%s: not a number from 1 to 1000000; using %u", text, default_sample);
  return default_sample;
}

}  // namespace

std::uint64_t now() noexcept {
  return clock_now(CLOCK_MONOTONIC) - start_clock + 1;
}

bool begin_file() noexcept {
  const char* const path = ::secure_getenv("HEMLOCK_PROFILE");
  if (path == nullptr || *path == '\0') return false;
  file_header start{};
  std::memcpy(start.magic, file_magic, sizeof file_magic);
  start.version = format_version;
  start.header_size = header_bytes;
  start.block_size = block_bytes;
  start.start_wall = clock_now(CLOCK_REALTIME);
  start.start_clock = start_clock = clock_now(CLOCK_MONOTONIC);
  start.process = static_cast<std::uint32_t>(::getpid());
  start.parent = static_cast<std::uint32_t>(::getppid());
  start.sample = sample_setting();
  cpu_set_t cpus;
  start.cpus =
      ::sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? static_cast<std::uint32_t>(CPU_COUNT(&cpus)) : 0;
  std::snprintf(start.tool_version, sizeof start.tool_version, "%s", HEMLOCK_VERSION);
  std::snprintf(start.lock, sizeof start.lock, "%s", lock_name);
  std::snprintf(start.wait, sizeof start.wait, "%s", wait_name);
  const auto length = ::readlink("/proc/self/exe", start.program, sizeof start.program - 1);
  if (length < 0) start.program[0] = '\0';
  read_into("/proc/self/cmdline", start.command, sizeof start.command);
  start.start_check = check_of(start);
  return open_file(path, start);
}

void describe(const char* lock, const char* wait) noexcept {
  lock_name = lock;
  wait_name = wait;
}

void begin_anew() noexcept {
  if (current_phase.load(std::memory_order_relaxed) != phase::off)
    current_phase.store(phase::undecided, std::memory_order_relaxed);
}

}  // namespace hemlock::profile::record
