#include "preload/fork.hpp"

#include <pthread.h>

#include "preload/default_lock.hpp"
#include "preload/go_between.hpp"
#include "preload/hooks.hpp"
#include "preload/large_record.hpp"
#include "preload/node_pool.hpp"
#include "preload/statistics.hpp"
#include "preload/thread_id.hpp"

namespace hemlock::preload {
namespace {

/// The forking thread's: glibc forgets it before it tells the child.
constinit thread_local bool was_alone = true;

void in_the_parent() noexcept {
  was_alone = is_alone();
}

void in_the_child() noexcept {
  // Only this thread exists, so nothing here races.
  known_thread_id = 0;
  repair_guard.store(0, std::memory_order_relaxed);
  if (!was_alone) {  // else no lock has a queue
    fork_generation.fetch_add(1, std::memory_order_relaxed);
    if (current_mode.load(std::memory_order_relaxed) == default_mode)
      current_mode.store(careful_mode, std::memory_order_relaxed);
  }
  large_record::start_anew();
  node_pool::start_anew();
  go_between::start_anew();
  statistics::start_anew();
  hooks::in_the_child();
}

}  // namespace

void follow_forks() noexcept {
  ::pthread_atfork(in_the_parent, nullptr, in_the_child);
}

}  // namespace hemlock::preload
