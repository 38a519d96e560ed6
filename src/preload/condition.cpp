// pthread_cond_*: whose a condition variable is, and which clock it has.
// A process-shared one is glibc's: other processes may not have our library. With a mutex that is glibc's, too, a
// call is simply passed on; with one of ours it takes a go-between.
#include "preload/condition.hpp"

#include <cerrno>
#include <cstring>

#include "preload/cond_queue.hpp"
#include "preload/cond_wait.hpp"
#include "preload/fork.hpp"
#include "preload/glibc.hpp"
#include "preload/go_between.hpp"
#include "preload/mutex.hpp"

namespace hemlock::preload {
namespace {

bool is_shared(const cond_body& cond) noexcept {
  return (cond.flags.load(std::memory_order_relaxed) & cond_body::shared) != 0;
}
bool is_foreign(const cond_body& cond) noexcept {
  return mode_now() == glibc_mode || is_shared(cond);
}

void make_usable(cond_body& cond) noexcept {
  if (is_stale(cond.age)) [[unlikely]]
    cond_queue::repair(cond);
}

bool is_valid(const timespec& when) noexcept {
  return when.tv_nsec >= 0 && when.tv_nsec < 1'000'000'000;
}

/// The kernel refuses negative times, which are valid and long over.
deadline limit_at(const timespec& when, clockid_t clock) noexcept {
  const bool realtime = clock == CLOCK_REALTIME;
  return when.tv_sec < 0 ? deadline{{0, 0}, realtime} : deadline{when, realtime};
}

template <class Wait>
int wait_foreign(pthread_mutex_t* mutex, Wait wait) {
  const std::uint32_t mode = mode_now();
  return is_foreign(body_of(mutex), mode) ? wait(mutex) : go_between::wait(mutex, wait);
}

}  // namespace
}  // namespace hemlock::preload

using namespace hemlock;
using namespace hemlock::preload;

int hemlock_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) noexcept {
  std::memset(cond, 0, sizeof *cond);
  if (attributes == nullptr) return 0;
  int shared = PTHREAD_PROCESS_PRIVATE;
  clockid_t clock = CLOCK_REALTIME;
  ::pthread_condattr_getpshared(attributes, &shared);
  ::pthread_condattr_getclock(attributes, &clock);
  if (shared != PTHREAD_PROCESS_PRIVATE || mode_now() == glibc_mode)
    return glibc::cond_init(cond, attributes);
  body_of(cond).flags.store(clock == CLOCK_REALTIME ? 0 : cond_body::monotonic, std::memory_order_relaxed);
  return 0;
}

int hemlock_cond_destroy(pthread_cond_t* cond) noexcept {
  cond_body& body = body_of(cond);
  if (is_foreign(body)) return glibc::cond_destroy(cond);
  make_usable(body);
  cond_queue::await_empty(body);
  return 0;
}

int hemlock_cond_signal(pthread_cond_t* cond) noexcept {
  cond_body& body = body_of(cond);
  if (is_foreign(body)) [[unlikely]]
    return go_between::call([=] { return glibc::cond_signal(cond); });
  make_usable(body);
  if (body.first.load(std::memory_order_relaxed) != nullptr) cond_queue::call_one(body);
  return 0;
}

int hemlock_cond_broadcast(pthread_cond_t* cond) noexcept {
  cond_body& body = body_of(cond);
  if (is_foreign(body)) [[unlikely]]
    return go_between::call([=] { return glibc::cond_broadcast(cond); });
  make_usable(body);
  if (body.first.load(std::memory_order_relaxed) != nullptr) cond_queue::call_all(body);
  return 0;
}

int hemlock_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  cond_body& body = body_of(cond);
  if (is_foreign(body)) [[unlikely]]
    return wait_foreign(mutex, [=](pthread_mutex_t* with) { return glibc::cond_wait(cond, with); });
  make_usable(body);
  return wait_on(body, mutex, nullptr);
}

int hemlock_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* when) {
  cond_body& body = body_of(cond);
  if (!is_valid(*when)) return EINVAL;
  if (is_foreign(body)) [[unlikely]]
    return wait_foreign(mutex,
                        [=](pthread_mutex_t* with) { return glibc::cond_timedwait(cond, with, when); });
  make_usable(body);
  const bool monotonic = (body.flags.load(std::memory_order_relaxed) & cond_body::monotonic) != 0;
  const deadline limit = limit_at(*when, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME);
  return wait_on(body, mutex, &limit);
}

int hemlock_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* when) {
  cond_body& body = body_of(cond);
  if (!is_valid(*when) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) return EINVAL;
  if (is_foreign(body)) [[unlikely]]
    return wait_foreign(
        mutex, [=](pthread_mutex_t* with) { return glibc::cond_clockwait(cond, with, clock, when); });
  make_usable(body);
  const deadline limit = limit_at(*when, clock);
  return wait_on(body, mutex, &limit);
}

// As glibc names them: `@@` is what a program built today asks for, `@` what an older one does.
asm(R"(
  .symver hemlock_cond_init, pthread_cond_init@@GLIBC_2.3.2
  .symver hemlock_cond_destroy, pthread_cond_destroy@@GLIBC_2.3.2
  .symver hemlock_cond_signal, pthread_cond_signal@@GLIBC_2.3.2
  .symver hemlock_cond_broadcast, pthread_cond_broadcast@@GLIBC_2.3.2
  .symver hemlock_cond_wait, pthread_cond_wait@@GLIBC_2.3.2
  .symver hemlock_cond_timedwait, pthread_cond_timedwait@@GLIBC_2.3.2
  .symver hemlock_cond_clockwait, pthread_cond_clockwait@@GLIBC_2.34
  .symver hemlock_cond_clockwait, pthread_cond_clockwait@GLIBC_2.30
)");
