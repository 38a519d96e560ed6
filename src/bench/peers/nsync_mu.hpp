// nsync_mu: nsync's mutex.
#pragma once

#include <nsync.h>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class nsync_mutex : public peer {
public:
  static constexpr lock_traits traits{.name = "nsync_mu", .summary = "nsync's mutex", .source = "nsync"};

  void lock() noexcept { nsync::nsync_mu_lock(&mutex_); }
  void unlock() noexcept { nsync::nsync_mu_unlock(&mutex_); }

private:
  nsync::nsync_mu mutex_ = NSYNC_MU_INIT;
};

}  // namespace hemlock::bench::peers
