// What a debug build watches: who holds what. Empty, and free, in a release build.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace hemlock::checks {

/// Release builds: nothing is watched.
struct none {
  static constexpr bool enabled = false;
  struct life {};  ///< a lock derives from this; it sees the destruction
  static constexpr void locking(const void*, std::string_view) noexcept {}
  static constexpr void locked(const void*, std::string_view) noexcept {}
  static constexpr void unlocking(const void*, std::string_view) noexcept {}
};

/// HEMLOCK_DEBUG: every mistake is named, then the program aborts. Who holds a lock is kept in a table beside
/// the locks, not in them, so that a lock has the same size in every build.
class ownership {
public:
  static constexpr bool enabled = true;

  struct life {
    constexpr life() noexcept = default;
    life(const life&) = delete;
    life& operator=(const life&) = delete;
    ~life() { destroying(this); }
  };

  static void locking(const void* lock, std::string_view name) {
    const std::scoped_lock guard(table().mutex);
    const auto entry = table().holders.find(lock);
    if (entry != table().holders.end() && entry->second.thread == thread_id())
      fail("locked again by the thread that already holds it (it is not recursive)", lock, name, thread_id());
  }
  static void locked(const void* lock, std::string_view name) {
    const std::scoped_lock guard(table().mutex);
    table().holders[lock] = {thread_id(), name};
  }
  static void unlocking(const void* lock, std::string_view name) {
    const std::scoped_lock guard(table().mutex);
    const auto entry = table().holders.find(lock);
    if (entry == table().holders.end()) fail("unlocked, but nobody holds it", lock, name, 0);
    if (entry->second.thread != thread_id())
      fail("unlocked by a thread that does not hold it", lock, name, entry->second.thread);
    table().holders.erase(entry);
  }

private:
  struct holder {
    long thread;
    std::string_view name;
  };
  struct shared {
    std::mutex mutex;
    std::unordered_map<const void*, holder> holders;
  };

  static shared& table() {
    static shared& kept = *new shared;  // never destroyed: locks may outlive every static destructor
    return kept;
  }
  static long thread_id() noexcept { return ::syscall(SYS_gettid); }

  static void destroying(const void* lock) {
    const std::scoped_lock guard(table().mutex);
    const auto entry = table().holders.find(lock);
    if (entry != table().holders.end())
      fail("destroyed while it is held", lock, entry->second.name, entry->second.thread);
  }

  [[noreturn, gnu::cold]] static void fail(const char* mistake, const void* lock, std::string_view name,
                                           long holder) {
    std::fprintf(stderr, "hemlock: %.*s lock at %p: %s (thread %ld", static_cast<int>(name.size()),
                 name.data(), lock, mistake, thread_id());
    if (holder != 0) std::fprintf(stderr, ", holder %ld", holder);
    std::fprintf(stderr, ")\n");
    std::abort();
  }
};

#if defined(HEMLOCK_DEBUG)
using by_default = ownership;
#else
using by_default = none;
#endif

}  // namespace hemlock::checks
