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

  void acquire() noexcept { ::pthread_mutex_lock(&mutex_); }
  [[nodiscard]] bool try_acquire() noexcept { return ::pthread_mutex_trylock(&mutex_) == 0; }
  void release() noexcept { ::pthread_mutex_unlock(&mutex_); }

private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

}  // namespace hemlock
