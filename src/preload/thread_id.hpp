// This thread's kernel id, as glibc keeps it: fetched once per thread, and again in a child after fork.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

namespace hemlock::preload {

inline constinit thread_local int known_thread_id = 0;

[[gnu::cold, gnu::noinline]] inline int fetch_thread_id() noexcept {
  known_thread_id = static_cast<int>(::syscall(SYS_gettid));
  return known_thread_id;
}

[[gnu::always_inline]] inline int thread_id() noexcept {
  const int id = known_thread_id;
  return id != 0 ? id : fetch_thread_id();
}

}  // namespace hemlock::preload
