// Waiting for something to become true.
#include <sys/resource.h>

#include <mutex>
#include <shared_mutex>
#include <stop_token>

#include "hemlock/condition_variable.hpp"
#include "mutex/both_mutexes.hpp"

namespace hemlock::testing {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using std::chrono::system_clock;

struct with_mutex {
  using lock = mutex;
  using condition = condition_variable;
};
struct any_with_fifo {
  using lock = fifo_mutex;
  using condition = condition_variable_any;
};
struct any_with_standard {
  using lock = std::mutex;
  using condition = condition_variable_any;
};

template <class Pair>
class condition : public ::testing::Test {
protected:
  typename Pair::lock lock;
  typename Pair::condition changed;
  using guard = std::unique_lock<typename Pair::lock>;
};
using pairs = ::testing::Types<with_mutex, any_with_fifo, any_with_standard>;
TYPED_TEST_SUITE(condition, pairs);

TYPED_TEST(condition, a_waiter_wakes_when_it_is_notified_and_holds_the_lock) {
  bool ready = false;
  watched_thread waiter([&] {
    typename TestFixture::guard held(this->lock);
    this->changed.wait(held, [&] { return ready; });
    EXPECT_TRUE(held.owns_lock());
    EXPECT_TRUE(ready);
  });
  waiter.await_sleep();
  {
    typename TestFixture::guard held(this->lock);
    ready = true;
    this->changed.notify_one();  // with the lock held: the waiter moves to the lock's queue
  }
  waiter.join();
}

TYPED_TEST(condition, notifications_without_the_lock_are_not_lost) {
  int turn = 0;
  constexpr int turns = 2000;
  const auto player = [&](int mine) {
    for (int i = 0; i < turns; ++i) {
      {
        typename TestFixture::guard held(this->lock);
        this->changed.wait(held, [&] { return turn % 2 == mine; });
        ++turn;
      }
      this->changed.notify_one();
    }
  };
  std::thread other(player, 1);
  player(0);
  other.join();
  EXPECT_EQ(turn, 2 * turns);
}

TYPED_TEST(condition, notify_one_lets_exactly_one_go_in_the_order_of_waiting) {
  std::vector<int> order;
  std::vector<std::unique_ptr<watched_thread>> threads;
  for (int i = 0; i < 4; ++i) {
    threads.push_back(std::make_unique<watched_thread>([&, i] {
      typename TestFixture::guard held(this->lock);
      this->changed.wait(held);
      order.push_back(i);
    }));
    threads.back()->await_sleep();
  }
  for (int i = 0; i < 4; ++i) {
    this->changed.notify_one();
    threads[static_cast<std::size_t>(i)]->join();
    const typename TestFixture::guard held(this->lock);
    EXPECT_EQ(order.size(), static_cast<std::size_t>(i + 1));
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

TYPED_TEST(condition, notify_all_lets_all_go_whether_the_lock_is_held_or_not) {
  for (const bool with_lock : {true, false}) {
    bool open = false;
    int through = 0;
    std::vector<std::unique_ptr<watched_thread>> threads;
    for (int i = 0; i < 32; ++i) {
      threads.push_back(std::make_unique<watched_thread>([&] {
        typename TestFixture::guard held(this->lock);
        this->changed.wait(held, [&] { return open; });
        ++through;
      }));
    }
    for (auto& thread : threads) thread->await_sleep();
    {
      typename TestFixture::guard held(this->lock);
      open = true;
      if (!with_lock) held.unlock();
      this->changed.notify_all();
    }
    for (auto& thread : threads) thread->join();
    EXPECT_EQ(through, 32);
  }
}

TYPED_TEST(condition, a_wait_with_a_deadline_ends_at_it_and_takes_no_notification_along) {
  typename TestFixture::guard held(this->lock);
  const auto start = steady_clock::now();
  EXPECT_EQ(this->changed.wait_for(held, 10ms), std::cv_status::timeout);
  EXPECT_EQ(this->changed.wait_until(held, steady_clock::now() + 10ms), std::cv_status::timeout);
  EXPECT_EQ(this->changed.wait_until(held, system_clock::now() + 10ms), std::cv_status::timeout);
  EXPECT_FALSE(this->changed.wait_for(held, 10ms, [] { return false; }));
  EXPECT_GE(steady_clock::now() - start, 40ms);
  EXPECT_LT(steady_clock::now() - start, 2s);
  EXPECT_TRUE(held.owns_lock());
  held.unlock();

  std::atomic<bool> notified{false};
  watched_thread patient([&] {
    typename TestFixture::guard mine(this->lock);
    this->changed.wait(mine);
    notified = true;
  });
  patient.await_sleep();
  this->changed.notify_one();  // were a timed-out waiter still in line, it would swallow this
  patient.join();
  EXPECT_TRUE(notified);
}

TYPED_TEST(condition, timeouts_and_notifications_at_the_same_time_lose_nothing) {
  // Every token that is put is taken, though takers give up all the time.
  int tokens = 0, taken = 0;
  bool done = false;
  std::vector<std::thread> takers;
  for (int i = 0; i < 4; ++i) {
    takers.emplace_back([&, i] {
      typename TestFixture::guard held(this->lock);
      while (true) {
        const bool found = this->changed.wait_for(held, std::chrono::microseconds(20 + 30 * i),
                                                  [&] { return tokens > 0 || done; });
        if (tokens > 0) {
          --tokens;
          ++taken;
        } else if (found && done) {
          return;
        }
      }
    });
  }
  constexpr int put = 2000;
  for (int i = 0; i < put; ++i) {
    {
      const typename TestFixture::guard held(this->lock);
      ++tokens;
    }
    this->changed.notify_one();
    if (i % 64 == 0) std::this_thread::yield();
  }
  {
    const typename TestFixture::guard held(this->lock);
    done = true;
  }
  this->changed.notify_all();
  for (auto& taker : takers) taker.join();
  EXPECT_EQ(taken, put);
}

TYPED_TEST(condition, a_stop_request_ends_a_wait_even_if_it_comes_between_the_look_and_the_sleep) {
  for (int round = 0; round < 200; ++round) {
    std::jthread waiter([&](std::stop_token stop) {
      typename TestFixture::guard held(this->lock);
      EXPECT_FALSE(this->changed.wait(held, stop, [] { return false; }));
      EXPECT_FALSE(this->changed.wait_for(held, stop, 1h, [] { return false; }));
      EXPECT_FALSE(this->changed.wait_until(held, stop, steady_clock::now() + 1h, [] { return false; }));
    });
    if (round % 4 == 0) std::this_thread::yield();
    waiter.request_stop();
  }
}

TYPED_TEST(condition, may_be_destroyed_as_soon_as_all_waiters_are_notified) {
  using condition_type = decltype(this->changed);
  for (int round = 0; round < 100; ++round) {
    auto* const brief = new condition_type;
    bool ready = false;
    int waiting = 0;
    std::vector<std::thread> waiters;
    for (int i = 0; i < 3; ++i) {
      waiters.emplace_back([&] {
        typename TestFixture::guard held(this->lock);
        ++waiting;
        while (!ready) brief->wait_for(held, 1h);
      });
    }
    while (true) {
      const typename TestFixture::guard held(this->lock);
      if (waiting < 3) continue;
      ready = true;
      brief->notify_all();
      delete brief;
      break;
    }
    for (auto& waiter : waiters) waiter.join();
  }
}

TEST(condition_variable, notify_all_with_the_lock_held_wakes_nobody_before_the_unlock) {
  mutex lock;
  condition_variable changed;
  bool open = false;
  std::atomic<long> switches{0};
  std::vector<std::unique_ptr<watched_thread>> threads;
  for (int i = 0; i < 16; ++i) {
    threads.push_back(std::make_unique<watched_thread>([&] {
      std::unique_lock held(lock);
      changed.wait(held, [&] { return open; });
      rusage usage;
      ::getrusage(RUSAGE_THREAD, &usage);
      switches += usage.ru_nvcsw;
    }));
    threads.back()->await_sleep();
  }
  {
    const std::lock_guard held(lock);
    open = true;
    changed.notify_all();
  }
  for (auto& thread : threads) thread->join();
  // One sleep each for the condition; a stampede would put each to sleep again for the lock. Some leave is given
  // to the sleeps of starting up.
  EXPECT_LE(switches, 16 * 4);
}

TEST(condition_variable_any, waits_with_a_shared_lock) {
  std::shared_mutex lock;
  condition_variable_any changed;
  bool ready = false;
  watched_thread reader([&] {
    std::shared_lock held(lock);
    changed.wait(held, [&] { return ready; });
  });
  reader.await_sleep();
  {
    const std::lock_guard held(lock);
    ready = true;
  }
  changed.notify_all();
  reader.join();
}

}  // namespace
}  // namespace hemlock::testing
