// Locks in signal handlers: hemlock-signal survives them at every step, hemlock-ctr does not.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include "hemlock/locks/hemlock_ctr.hpp"
#include "hemlock/locks/hemlock_signal.hpp"
#include "support/event.hpp"
#include "support/observed_world.hpp"
#include "support/run_threads.hpp"

namespace hemlock::test {
namespace {

using signal_lock = hemlock_signal<native<waiting::yield>>;
using observed_signal_lock = hemlock_signal<observed<native<waiting::yield>>>;

/// Installs a handler for a scope.
class handling {
public:
  handling(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, &previous_);
  }
  ~handling() { ::sigaction(signal_, &previous_, nullptr); }
  handling(const handling&) = delete;
  handling& operator=(const handling&) = delete;

private:
  int signal_;
  struct sigaction previous_ {};
};

// What the handlers use: locks of their own, disjoint from those of the interrupted code.
signal_lock handler_lock;
long handler_count = 0;  // protected by handler_lock
std::atomic<long> handler_runs{0};

void lock_and_count(int) {
  const int saved_errno = errno;
  {
    const std::lock_guard guard(handler_lock);
    ++handler_count;
  }
  handler_runs.fetch_add(1, std::memory_order_relaxed);
  errno = saved_errno;
}

TEST(hemlock_signal, survives_a_timer_signal_that_interrupts_contended_locking_thousands_of_times) {
  handler_count = 0;
  handler_runs = 0;
  const handling timer(SIGALRM, lock_and_count);
  const itimerval every_50_us{{0, 50}, {0, 50}}, never{};
  signal_lock lock;
  long count = 0;
  std::atomic<long> rounds{0};
  ::setitimer(ITIMER_REAL, &every_50_us, nullptr);
  run_threads(3, [&](int) {
    // Bounded by time as well: a sanitizer may deliver few signals.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (handler_runs.load(std::memory_order_relaxed) < 3000 && std::chrono::steady_clock::now() < end) {
      const std::lock_guard guard(lock);
      ++count;
      rounds.fetch_add(1, std::memory_order_relaxed);
    }
  });
  ::setitimer(ITIMER_REAL, &never, nullptr);
  EXPECT_EQ(count, rounds.load());
  EXPECT_EQ(handler_count, handler_runs.load());
  EXPECT_GE(handler_runs.load(), 1000);
}

observed_signal_lock outer_handler_lock, inner_handler_lock;
long outer_count = 0, inner_count = 0;  // each protected by its lock

void count_in_inner_handler(int) {
  const hook* const interrupted = std::exchange(on_operation, nullptr);
  {
    const std::lock_guard guard(inner_handler_lock);
    ++inner_count;
  }
  on_operation = interrupted;
}

void count_in_outer_handler(int) {
  // Nested: each of this handler's own steps is interrupted as well.
  const hook* const interrupted = std::exchange(on_operation, nullptr);
  const hook interrupt_again([](const observation&) { ::raise(SIGUSR2); });
  on_operation = &interrupt_again;
  {
    const std::lock_guard guard(outer_handler_lock);
    ++outer_count;
  }
  on_operation = interrupted;
}

TEST(hemlock_signal, survives_nested_handlers_at_every_step_of_lock_and_unlock) {
#if defined(HEMLOCK_TSAN)
  GTEST_SKIP()
      << "ThreadSanitizer does not expect a lock to be taken while its thread is inside another lock's code";
#endif
  outer_count = inner_count = 0;
  const handling outer(SIGUSR1, count_in_outer_handler);
  const handling inner(SIGUSR2, count_in_inner_handler);
  observed_signal_lock lock;
  long count = 0;
  std::atomic<long> interruptions{0};
  constexpr int threads = 3, rounds = 300;
  run_threads(threads, [&](int) {
    const observing interrupt_each_step([&](const observation&) {
      interruptions.fetch_add(1, std::memory_order_relaxed);
      ::raise(SIGUSR1);
    });
    for (int round = 0; round < rounds; ++round) {
      const std::lock_guard guard(lock);
      ++count;
    }
  });
  EXPECT_EQ(count, threads * rounds);
  EXPECT_EQ(outer_count, interruptions.load());
  EXPECT_GE(inner_count, 4 * outer_count)
      << "each outer handler has at least four moments: two of arrive, two of depart";
  EXPECT_GE(outer_count, 4 * threads * rounds);
}

// ---- Why hemlock-ctr must not be used there ----------------------------------------------------------------------

/// T1 unlocks L, and T2 waits for it. Just after T1 has passed L on (its Grant says L) a signal arrives, and its handler
/// unlocks M, for which T3 waits. T2 is stopped until the handler has returned. Says whether T2 gets L.
template <class Lock>
bool successor_gets_the_lock_when_a_handler_interrupts_the_hand_over() {
  Lock l, m;
  event t2_arrived, t3_arrived, t1_holds, handler_returned;
  bool t2_got_it = true;
  const auto tell_arrival = [](event& arrived) {
    return [&arrived](const observation& seen) {
      if (seen.when == moment::after && seen.label == "arrive") arrived.happen();
    };
  };
  std::thread t2([&] {
    t1_holds.await();
    {
      int looks = 0;
      const observing watch([&, tell = tell_arrival(t2_arrived)](const observation& seen) {
        tell(seen);
        if (seen.when != moment::before || seen.label != "take") return;
        handler_returned.await();
        if (++looks < 1000) return;
        t2_got_it = false;  // L was overwritten, and will never come back: end the loop
        forced_label = "take";
      });
      l.lock();
    }
    forced_label = "";
    l.unlock();
  });
  std::thread t3([&] {
    t2_arrived.await();
    {
      const observing watch(tell_arrival(t3_arrived));
      m.lock();
    }
    m.unlock();
  });
  std::thread t1([&] {
    l.lock();
    m.lock();  // taken here, so that T3 surely waits when the handler lets go of it
    t1_holds.happen();
    t2_arrived.await();
    t3_arrived.await();
    const observing watch([&](const observation& seen) {
      if (seen.when != moment::after || seen.label != "pass" || handler_returned.has_happened()) return;
      const hook* const interrupted = std::exchange(on_operation, nullptr);
      m.unlock();  // the handler
      on_operation = interrupted;
      handler_returned.happen();
    });
    l.unlock();
  });
  t1.join();
  t2.join();
  t3.join();
  return t2_got_it;
}

TEST(hemlock_signal, keeps_a_hand_over_that_a_handler_interrupts) {
  EXPECT_TRUE(successor_gets_the_lock_when_a_handler_interrupts_the_hand_over<observed_signal_lock>());
}
TEST(hemlock_ctr, loses_a_hand_over_that_a_handler_interrupts) {
  using lock_type = hemlock_ctr<observed<native<waiting::yield>>>;
  EXPECT_FALSE(successor_gets_the_lock_when_a_handler_interrupts_the_hand_over<lock_type>());
}

}  // namespace
}  // namespace hemlock::test
