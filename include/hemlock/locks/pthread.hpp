// pthread: the platform's own mutex under our interface, as the reference that every comparison needs. It waits
// as the platform pleases: the waiting policy says nothing to it.
#pragma once

#include <pthread.h>

#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class pthread : public lock_facade<pthread<World>, World> {
public:
  static constexpr lock_traits traits{.name = "pthread",
                                      .summary = "the platform's pthread_mutex_t, as a reference",
                                      .source = "the platform",
                                      .parks = true};

  constexpr pthread() noexcept = default;

  // ThreadSanitizer knows this mutex already, and takes a second account of it for a second mutex at the same address: so
  // these go past the facade's annotations.
  void lock() HEMLOCK_ACQUIRE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    World::checks::locking(this, traits.name);
    acquire();
    World::checks::locked(this, traits.name);
  }
  [[nodiscard]] bool try_lock() HEMLOCK_TRY_ACQUIRE(true) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    const bool taken = try_acquire();
    if (taken) World::checks::locked(this, traits.name);
    return taken;
  }
  void unlock() HEMLOCK_RELEASE() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
    World::checks::unlocking(this, traits.name);
    release();
  }

  void acquire() noexcept { ::pthread_mutex_lock(&mutex_); }
  [[nodiscard]] bool try_acquire() noexcept { return ::pthread_mutex_trylock(&mutex_) == 0; }
  void release() noexcept { ::pthread_mutex_unlock(&mutex_); }

private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

}  // namespace hemlock
