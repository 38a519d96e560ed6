#include "preload/statistics.hpp"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "hemlock/platform/cache_line.hpp"
#include "hemlock/platform/cpu_budget.hpp"
#include "preload/message.hpp"
#include "preload/settings.hpp"
#include "preload/thread_id.hpp"
#include "preload/version.hpp"

namespace hemlock::preload::statistics {
namespace {

/// Threads are spread over these by their id, so that counting does not itself become the contended thing.
constexpr unsigned shards = 32;
struct alignas(false_sharing_bytes) shard {
  std::atomic<std::uint64_t> counts[counters];
};
constinit shard tallies[shards]{};

constinit const engine* counted = nullptr;
constinit char target[512] = "";

std::uint64_t total(counter which) noexcept {
  std::uint64_t sum = 0;
  for (const shard& one : tallies) sum += one.counts[which].load(std::memory_order_relaxed);
  return sum;
}

void note_acquisition(mutex_body& body) noexcept {  // with the lock held
  add(acquisitions);
  if ((body.cond_waits & mutex_body::was_counted) == 0) {
    body.cond_waits |= mutex_body::was_counted;
    add(locks_seen);
  }
}

void note_waited(mutex_body& body) noexcept {
  note_acquisition(body);
  add(contended);
  if (counted->waits_are_hand_overs) add(handed_over);
}

void acquire(mutex_body& body) noexcept {
  if (counted->try_acquire(body)) return note_acquisition(body);
  counted->acquire(body);
  note_waited(body);
}
bool try_acquire(mutex_body& body) noexcept {
  if (!counted->try_acquire(body)) return false;
  note_acquisition(body);
  return true;
}
bool acquire_until(mutex_body& body, const deadline& limit) noexcept {
  if (!counted->acquire_until(body, limit)) return false;
  note_waited(body);
  return true;
}
void release(mutex_body& body) noexcept {
  counted->release(body);
}

constinit engine counting_engine{nullptr, nullptr,     false,         false,
                                 acquire, try_acquire, acquire_until, release};

/// A string's characters as JSON wants them; those that would need more than a backslash become '?'.
void append_escaped(char*& out, const char* end, const char* text) noexcept {
  for (; *text != '\0' && out + 3 < end; ++text) {
    const char c = *text;
    if (c == '"' || c == '\\') *out++ = '\\';
    *out++ = c >= ' ' && c < 127 ? c : '?';
  }
  *out = '\0';
}

void append_json_line() noexcept {
  char program[256];
  char* out = program;
  append_escaped(out, program + sizeof program, ::program_invocation_name);
  utsname kernel{};
  ::uname(&kernel);
  char line[2048];
  const int length = std::snprintf(
      line, sizeof line,
      "{\"schema\":1,\"version\":\"%s\",\"command\":\"preload\",\"machine\":{\"cpus\":%d,\"cpu_budget\":%d,"
      "\"kernel\":\"%s\",\"libc\":\"glibc "
      "%s\"},\"process\":%d,\"program\":\"%s\",\"lock\":\"%s\",\"wait\":\"%s\","
      "\"locks_seen\":%llu,\"acquisitions\":%llu,\"contended\":%llu,\"parked\":%llu,\"handed_over\":%llu,"
      "\"condition_waits\":%llu,\"condition_wakes\":%llu,"
      "\"passed_to_glibc\":{\"robust\":%llu,\"inherit\":%llu,\"protect\":%llu,\"shared\":%llu,\"calls\":%llu}"
      "}\n",
      version, online_cpus(), cpu_budget(), kernel.release, ::gnu_get_libc_version(), ::getpid(), program,
      counted != nullptr ? counted->lock : "pthread", counted != nullptr ? counted->wait : "",
      static_cast<unsigned long long>(total(locks_seen)),
      static_cast<unsigned long long>(total(acquisitions)), static_cast<unsigned long long>(total(contended)),
      static_cast<unsigned long long>(total(parked)), static_cast<unsigned long long>(total(handed_over)),
      static_cast<unsigned long long>(total(cond_waits)), static_cast<unsigned long long>(total(cond_wakes)),
      static_cast<unsigned long long>(total(passed_robust)),
      static_cast<unsigned long long>(total(passed_inherits)),
      static_cast<unsigned long long>(total(passed_protects)),
      static_cast<unsigned long long>(total(passed_shared)),
      static_cast<unsigned long long>(total(passed_calls)));
  const int file = ::open(target, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return say("HEMLOCK_STATS: cannot write %s: %s", target, std::strerror(errno));
  const auto size = static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof line) - 1));
  [[maybe_unused]] const auto ignored = ::write(file, line, size);
  ::close(file);
}

void print_line() noexcept {
  say("process %d (%s): lock %s, waiting %s; %llu locks seen, %llu acquisitions, %llu contended, %llu "
      "parked, "
      "%llu handed over; %llu condition waits, %llu wakes; passed to glibc: %llu robust, %llu inheriting, "
      "%llu protecting, %llu shared (%llu calls)",
      ::getpid(), ::program_invocation_short_name, counted != nullptr ? counted->lock : "pthread",
      counted != nullptr ? counted->wait : "-", static_cast<unsigned long long>(total(locks_seen)),
      static_cast<unsigned long long>(total(acquisitions)), static_cast<unsigned long long>(total(contended)),
      static_cast<unsigned long long>(total(parked)), static_cast<unsigned long long>(total(handed_over)),
      static_cast<unsigned long long>(total(cond_waits)), static_cast<unsigned long long>(total(cond_wakes)),
      static_cast<unsigned long long>(total(passed_robust)),
      static_cast<unsigned long long>(total(passed_inherits)),
      static_cast<unsigned long long>(total(passed_protects)),
      static_cast<unsigned long long>(total(passed_shared)),
      static_cast<unsigned long long>(total(passed_calls)));
}

}  // namespace

void add(counter which) noexcept {
  tallies[static_cast<unsigned>(thread_id()) % shards].counts[which].fetch_add(1, std::memory_order_relaxed);
}

const engine& counting(const engine& lock) noexcept {
  counted = &lock;
  counting_engine.lock = lock.lock;
  counting_engine.wait = lock.wait;
  counting_engine.any_thread_unlocks = lock.any_thread_unlocks;
  return counting_engine;
}

void start(const char* where) noexcept {
  std::snprintf(target, sizeof target, "%s", where);
  wanted.store(true, std::memory_order_relaxed);
}

void start_anew() noexcept {
  for (shard& one : tallies)
    for (auto& count : one.counts) count.store(0, std::memory_order_relaxed);
}

void report() noexcept {
  if (!wanted.load(std::memory_order_relaxed)) return;
  const int saved_errno = errno;
  if (std::strcmp(target, "1") == 0)
    print_line();
  else
    append_json_line();
  errno = saved_errno;
}

}  // namespace hemlock::preload::statistics
