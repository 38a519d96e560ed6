// pthread_cond_* of GLIBC_2.2.5: the condition variables of programs from before 2003. The object holds a pointer to
// one that glibc allocates, and stays glibc's; but it would unlock and lock our mutexes by itself, so waits take the
// go-between, as on process-shared ones. Init and destroy are not here: the loader finds them in glibc.
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>

#include "preload/go_between.hpp"
#include "preload/message.hpp"
#include "preload/mutex.hpp"

namespace hemlock::preload {
namespace {

template <class Signature>
class old_function {
public:
  explicit constexpr old_function(const char* name) noexcept : name_(name) {}

  Signature* get() noexcept {
    void* known = known_.load(std::memory_order_relaxed);  // the function's code needs no ordering
    if (known == nullptr) {
      known = ::dlvsym(RTLD_NEXT, name_, "GLIBC_2.2.5");
      if (known == nullptr) {
        say("this C library has no %s of GLIBC_2.2.5, which the program needs now", name_);
        std::abort();
      }
      known_.store(known, std::memory_order_relaxed);
    }
    return reinterpret_cast<Signature*>(known);
  }

private:
  const char* name_;
  std::atomic<void*> known_{nullptr};
};

using old_cond = void;

constinit old_function<int(old_cond*, pthread_mutex_t*)> old_wait{"pthread_cond_wait"};
constinit old_function<int(old_cond*, pthread_mutex_t*, const timespec*)> old_timedwait{
    "pthread_cond_timedwait"};
constinit old_function<int(old_cond*)> old_signal{"pthread_cond_signal"};
constinit old_function<int(old_cond*)> old_broadcast{"pthread_cond_broadcast"};

template <class Sleep>
int wait_with(pthread_mutex_t* mutex, Sleep sleep) {
  return is_foreign(body_of(mutex), mode_now()) ? sleep(mutex) : go_between::wait(mutex, sleep);
}

}  // namespace
}  // namespace hemlock::preload

using namespace hemlock::preload;

#pragma GCC visibility push(default)
extern "C" {
int hemlock_old_cond_wait(void* cond, pthread_mutex_t* mutex) {
  return wait_with(mutex, [=](pthread_mutex_t* with) { return old_wait.get()(cond, with); });
}
int hemlock_old_cond_timedwait(void* cond, pthread_mutex_t* mutex, const timespec* when) {
  return wait_with(mutex, [=](pthread_mutex_t* with) { return old_timedwait.get()(cond, with, when); });
}
int hemlock_old_cond_signal(void* cond) {
  return go_between::call([=] { return old_signal.get()(cond); });
}
int hemlock_old_cond_broadcast(void* cond) {
  return go_between::call([=] { return old_broadcast.get()(cond); });
}
}
#pragma GCC visibility pop

asm(R"(
  .symver hemlock_old_cond_wait, pthread_cond_wait@GLIBC_2.2.5
  .symver hemlock_old_cond_timedwait, pthread_cond_timedwait@GLIBC_2.2.5
  .symver hemlock_old_cond_signal, pthread_cond_signal@GLIBC_2.2.5
  .symver hemlock_old_cond_broadcast, pthread_cond_broadcast@GLIBC_2.2.5
)");
