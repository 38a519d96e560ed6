#include "bench/contender_of.hpp"
#include "bench/peers/glibc_adaptive.hpp"
#include "bench/peers/std_mutex.hpp"
#if defined(HEMLOCK_PEER_ABSEIL)
#include "bench/peers/absl_mutex.hpp"
#endif
#if defined(HEMLOCK_PEER_NSYNC)
#include "bench/peers/nsync_mu.hpp"
#endif
#if defined(HEMLOCK_PEER_TBB)
#include "bench/peers/tbb_mutex.hpp"
#include "bench/peers/tbb_queuing_mutex.hpp"
#include "bench/peers/tbb_spin_mutex.hpp"
#endif
#if defined(HEMLOCK_PEER_CK)
#include "bench/peers/ck_clh.hpp"
#include "bench/peers/ck_mcs.hpp"
#include "bench/peers/ck_ticket.hpp"
#endif

namespace hemlock::bench {
namespace {

template <class Lock>
contender peer_of() {
  contender one = contender_of<Lock>(own_way);
  one.peer = true;
  one.pure_spin = Lock::pure_spin;
  return one;
}

}  // namespace

std::vector<contender> peer_contenders() {
#if defined(HEMLOCK_PEER_ABSEIL)
  peers::as_its_users_build_it();
#endif
  return {
    peer_of<peers::std_mutex>(), peer_of<peers::glibc_adaptive>(),
#if defined(HEMLOCK_PEER_ABSEIL)
        peer_of<peers::absl_mutex>(),
#endif
#if defined(HEMLOCK_PEER_NSYNC)
        peer_of<peers::nsync_mutex>(),
#endif
#if defined(HEMLOCK_PEER_TBB)
        peer_of<peers::tbb_mutex>(), peer_of<peers::tbb_queuing_mutex>(), peer_of<peers::tbb_spin_mutex>(),
#endif
#if defined(HEMLOCK_PEER_CK)
        peer_of<peers::ck_mcs>(), peer_of<peers::ck_clh>(), peer_of<peers::ck_ticket>(),
#endif
  };
}

}  // namespace hemlock::bench
