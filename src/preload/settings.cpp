#include "preload/settings.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "preload/default_lock.hpp"
#include "preload/hooks.hpp"
#include "preload/message.hpp"
#include "preload/offered.hpp"
#include "preload/statistics.hpp"

// Weak, so the loader finds it where it is and leaves it null where not. Not by dlsym: that allocates when it fails,
// and the caller may be malloc.
extern "C" [[gnu::weak]] void __tsan_init();

namespace hemlock::preload {
namespace {

constexpr const char* default_name = "mutex";
constexpr const char* default_wait = "auto";

/// The value of a variable; `otherwise` if it is unset, empty, or this is a set-user-ID program.
const char* setting(const char* name, const char* otherwise) noexcept {
  const char* const value = ::secure_getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

bool is_on(const char* name) noexcept {
  return std::strcmp(setting(name, "0"), "0") != 0;
}

/// Whether the lock's word looks as default_lock's short cuts expect.
bool short_cuts_are_right() noexcept {
  default_lock::lock_type lock;
  std::uintptr_t free;
  std::uintptr_t held;
  std::memcpy(&free, static_cast<const void*>(&lock), sizeof free);
  lock.lock();
  std::memcpy(&held, static_cast<const void*>(&lock), sizeof held);
  lock.unlock();
  return free == default_lock::free && held == default_lock::held;
}

/// ThreadSanitizer must see every lock, and sees those that reach its own pthread_mutex_lock.
bool has_thread_sanitizer() noexcept {
  return &__tsan_init != nullptr;
}

struct decision {
  std::uint32_t mode;
  const engine* lock;
};

decision decide(bool loudly) noexcept {
  if (has_thread_sanitizer()) {
    if (loudly) say("the program has ThreadSanitizer, which must see its own locks: all are left to it");
    return {glibc_mode, nullptr};
  }
  const char* const name = setting("HEMLOCK_LOCK", default_name);
  const char* wait = setting("HEMLOCK_WAIT", default_wait);
  if (std::strcmp(name, "pthread") == 0) return {glibc_mode, nullptr};
  if (!is_waiting_policy(wait)) {
    if (loudly)
      say("HEMLOCK_WAIT=%s: no such policy; using %s (known: spin yield park auto)", wait, default_wait);
    wait = default_wait;
  }
  choice chosen = choose(name, wait);
  if (chosen.lock == nullptr) {
    char known[512];
    list_offered(known, sizeof known);
    if (loudly)
      say("HEMLOCK_LOCK=%s HEMLOCK_WAIT=%s: %s; using %s (offered: %s pthread)", name, wait, chosen.reason,
          default_name, known);
    chosen = choose(default_name, default_wait);
  }
  const bool plain = std::strcmp(chosen.lock->lock, default_name) == 0 &&
                     std::strcmp(chosen.lock->wait, default_wait) == 0 && short_cuts_are_right();
  return {plain ? default_mode : engine_mode, chosen.lock};
}

}  // namespace

std::uint32_t decide_mode() noexcept {
  static constinit std::atomic<bool> told{false};
  const int saved_errno = errno;
  const bool first = !told.exchange(true, std::memory_order_relaxed);
  decision made = decide(first);
  const char* const stats = setting("HEMLOCK_STATS", "0");
  if (std::strcmp(stats, "0") != 0) {
    if (first) statistics::start(stats);
    if (made.mode != glibc_mode) made = {engine_mode, &statistics::counting(*made.lock)};
  }
  if (first) hooks::chosen(made.lock);
  if (first && is_on("HEMLOCK_VERBOSE")) {
    if (made.lock == nullptr)
      say("all locks are glibc's");
    else
      say("lock %s, waiting %s", made.lock->lock, made.lock->wait);
  }
  chosen_engine.store(made.lock, std::memory_order_relaxed);
  current_mode.store(made.mode, std::memory_order_release);
  errno = saved_errno;
  return made.mode;
}

}  // namespace hemlock::preload
