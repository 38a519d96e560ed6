#include "preload/thread_end.hpp"

#include <pthread.h>

#include <atomic>

#include "preload/word_lock.hpp"

namespace hemlock::preload::thread_end {
namespace {

constinit std::atomic<std::uint32_t> guard{0};
constinit std::atomic<bool> made{false};
constinit pthread_key_t key{};

void thread_ends(void* action) {
  reinterpret_cast<void (*)()>(action)();
}

[[gnu::cold]] bool make_key() noexcept {
  const word_guard held(guard);
  if (made.load(std::memory_order_relaxed)) return true;
  if (::pthread_key_create(&key, thread_ends) != 0) return false;
  made.store(true, std::memory_order_release);
  return true;
}

}  // namespace

void run(void (*action)()) noexcept {
  // A process that has used up its keys goes without: the few nodes that the thread kept are then not reused.
  if (!made.load(std::memory_order_acquire) && !make_key()) return;
  ::pthread_setspecific(key, reinterpret_cast<const void*>(action));
}

}  // namespace hemlock::preload::thread_end
