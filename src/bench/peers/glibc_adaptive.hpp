// glibc's adaptive mutex: a pthread_mutex_t that spins a little before it sleeps.
#pragma once

#include <pthread.h>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class glibc_adaptive : public peer {
public:
  static constexpr lock_traits traits{
      .name = "glibc-adaptive", .summary = "glibc's PTHREAD_MUTEX_ADAPTIVE_NP", .source = "glibc"};

  void lock() noexcept { ::pthread_mutex_lock(&mutex_); }
  void unlock() noexcept { ::pthread_mutex_unlock(&mutex_); }

private:
  pthread_mutex_t mutex_ = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
};

}  // namespace hemlock::bench::peers
