// For programs that are profiled and must know what their threads do.
#pragma once

#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// The recorder's clock.
inline std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

/// Until that thread sleeps: one whose next step is a lock that somebody holds has then come to it, however busy the
/// machine is.
inline void await_sleep_of(int thread) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  for (char state = 'R'; state != 'S'; usleep(200)) {
    std::FILE* const file = std::fopen(path, "r");
    if (file == nullptr || std::fscanf(file, "%*d (%*[^)]) %c", &state) != 1) std::abort();
    std::fclose(file);
  }
}
