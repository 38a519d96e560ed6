// A program for the test of gdb's printer: one lock free, one held, with one waiter asleep behind it.
#include <cstdio>
#include <mutex>
#include <thread>

#include "hemlock/condition_variable.hpp"
#include "hemlock/fifo_mutex.hpp"
#include "hemlock/mutex.hpp"
#include "mutex/both_mutexes.hpp"

hemlock::mutex free_lock, held_lock;
hemlock::fifo_mutex fifo_lock;

[[gnu::noinline]] void look_here() {
  std::puts("now");
}

int main() {
  held_lock.lock();
  fifo_lock.lock();
  hemlock::testing::watched_thread waiter([] { const std::lock_guard guard(held_lock); });
  waiter.await_sleep();
  look_here();
  fifo_lock.unlock();
  held_lock.unlock();
  waiter.join();
}
