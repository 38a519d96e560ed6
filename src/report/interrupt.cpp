#include "report/interrupt.hpp"

#include <atomic>

namespace hemlock::report {
namespace {

// A lock-free atomic is safe in a signal handler, and, unlike sig_atomic_t, between threads. Nothing is
// published with it: relaxed everywhere.
std::atomic<int> caught{0};
static_assert(std::atomic<int>::is_always_lock_free);

void remember(int signal) {
  caught.store(signal, std::memory_order_relaxed);
}

}  // namespace

interrupt_guard::interrupt_guard() {
  caught.store(0, std::memory_order_relaxed);
  struct sigaction action = {};
  action.sa_handler = remember;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART: waits must end
  ::sigaction(SIGINT, &action, &before_int_);
  ::sigaction(SIGTERM, &action, &before_term_);
}

interrupt_guard::~interrupt_guard() {
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
}

bool interrupt_guard::interrupted() noexcept {
  return signal() != 0;
}

int interrupt_guard::signal() noexcept {
  return caught.load(std::memory_order_relaxed);
}

}  // namespace hemlock::report
