// How many CPUs this process may really use: the smallest of the affinity mask, the cgroup's CPU quota
// (rounded up) and the CPUs online. Allocates nothing and never fails: what cannot be read does not limit.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hemlock {

namespace detail {

/// A small file's first bytes, as a string.
class file_text {
public:
  explicit file_text(const char* path) noexcept {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t size = ::read(file, text_, sizeof text_ - 1);
    ::close(file);
    if (size < 0) return;
    text_[size] = '\0';
    readable_ = true;
  }
  explicit operator bool() const noexcept { return readable_; }
  char* text() noexcept { return text_; }

private:
  char text_[4096] = {};
  bool readable_ = false;
};

inline constexpr int unlimited_cpus = 1 << 20;

inline int rounded_up_quota(long quota, long period) noexcept {
  if (quota <= 0 || period <= 0) return unlimited_cpus;
  return static_cast<int>(std::min<long>((quota + period - 1) / period, unlimited_cpus));
}

/// The quota one cgroup directory sets, in either version's files.
inline int quota_of(const char* directory) noexcept {
  char path[1024];
  std::snprintf(path, sizeof path, "%s/cpu.max", directory);
  if (file_text file{path}) {
    char* rest = nullptr;
    const long quota = std::strtol(file.text(), &rest, 10);  // "max" reads as 0: no limit
    return rounded_up_quota(quota, std::strtol(rest, nullptr, 10));
  }
  std::snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
  file_text quota{path};
  std::snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
  file_text period{path};
  if (!quota || !period) return unlimited_cpus;
  return rounded_up_quota(std::strtol(quota.text(), nullptr, 10), std::strtol(period.text(), nullptr, 10));
}

/// The smallest quota from `group` up to the mount point: every ancestor's quota binds.
inline int smallest_quota(const char* mount, const char* group) noexcept {
  char directory[512];
  std::snprintf(directory, sizeof directory, "%s%s", mount, group);
  const std::size_t mount_length = std::strlen(mount);
  int smallest = unlimited_cpus;
  while (true) {
    smallest = std::min(smallest, quota_of(directory));
    char* slash = std::strrchr(directory + mount_length, '/');
    if (slash == nullptr) return smallest;
    *slash = '\0';
  }
}

}  // namespace detail

/// The cgroup's quota in whole CPUs, rounded up. `root` is where /proc and /sys hang ("" on a real system).
inline int cgroup_cpu_quota(const char* root = "") noexcept {
  char path[512];
  std::snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  detail::file_text groups{path};
  if (!groups) return detail::unlimited_cpus;
  int smallest = detail::unlimited_cpus;
  char* rest = nullptr;
  for (char* line = ::strtok_r(groups.text(), "\n", &rest); line; line = ::strtok_r(nullptr, "\n", &rest)) {
    // hierarchy-id ':' controllers ':' path; version 2 has an empty controller list.
    char* controllers = std::strchr(line, ':');
    char* group = controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (group == nullptr) continue;
    *group++ = '\0';
    ++controllers;
    if (std::strcmp(group, "/") == 0) *group = '\0';
    const bool version2 = *controllers == '\0';
    bool has_cpu = version2;
    char* other = nullptr;
    char list[256];
    std::snprintf(list, sizeof list, "%s", controllers);
    for (char* one = ::strtok_r(list, ",", &other); one; one = ::strtok_r(nullptr, ",", &other))
      has_cpu = has_cpu || std::strcmp(one, "cpu") == 0;
    if (!has_cpu) continue;
    for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"}) {
      std::snprintf(path, sizeof path, "%s%s", root, mount);
      smallest = std::min(smallest, detail::smallest_quota(path, group));
    }
  }
  return smallest;
}

inline int affinity_cpus() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Fails with more than 1024 CPUs: then the mask does not limit us in any way that matters.
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : detail::unlimited_cpus;
}

inline int online_cpus() noexcept {
  const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<int>(count) : 1;
}

/// Read once per process: a quota that is changed while we run is not followed.
inline int cpu_budget() noexcept {
  static std::atomic<int> known{0};
  int budget = known.load(std::memory_order_relaxed);
  if (budget == 0) {
    budget = std::max(1, std::min({affinity_cpus(), cgroup_cpu_quota(), online_cpus()}));
    known.store(budget, std::memory_order_relaxed);  // any thread computes the same
  }
  return budget;
}

}  // namespace hemlock
