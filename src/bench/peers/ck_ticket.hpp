// ConcurrencyKit's ticket lock.
#pragma once

#include <ck_cc.h>
#include <spinlock/ticket.h>

#include "bench/peers/peer.hpp"

namespace hemlock::bench::peers {

class ck_ticket : public peer {
public:
  static constexpr lock_traits traits{.name = "ck-ticket",
                                      .summary = "ConcurrencyKit's ticket lock",
                                      .source = "ConcurrencyKit",
                                      .fifo = true};
  static constexpr bool pure_spin = true;

  void lock() noexcept { ck_spinlock_ticket_lock(&lock_); }
  void unlock() noexcept { ck_spinlock_ticket_unlock(&lock_); }

private:
  ck_spinlock_ticket_t lock_ = CK_SPINLOCK_TICKET_INITIALIZER;
};

}  // namespace hemlock::bench::peers
