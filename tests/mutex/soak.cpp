// Hours in minutes: random operations on thousands of locks, by threads that come and go, among signals and forks.
// No update may be lost, nothing may hang (the test's timeout sees to that), memory may not grow.
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <random>
#include <string_view>

#include "hemlock/condition_variable.hpp"
#include "hemlock/recursive_mutex.hpp"
#include "mutex/both_mutexes.hpp"

namespace hemlock::testing {
namespace {

using namespace std::chrono_literals;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEMLOCK_ASAN_BY_CLANG 1
#endif
#endif
#if defined(HEMLOCK_TSAN) || defined(__SANITIZE_ADDRESS__) || defined(HEMLOCK_ASAN_BY_CLANG)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

std::chrono::seconds duration() {
  const char* const size = std::getenv("HEMLOCK_TEST_SIZE");
  const bool full = size != nullptr && std::string_view(size) == "full";
  if (!full) return 2s;
  return sanitized ? 30s : 30min;
}

/// What one lock guards: a plain count that only exclusion keeps right, beside an atomic one that is always right.
template <class Lock>
struct counted {
  Lock lock;
  long plain = 0;
  std::atomic<long> exact{0};

  void add() {
    ++plain;
    exact.fetch_add(1, std::memory_order_relaxed);
  }
  bool agrees() const { return plain == exact.load(); }
};

struct hall {
  static constexpr std::size_t locks = 2000;
  std::vector<counted<mutex>> mutexes{locks};
  std::vector<counted<fifo_mutex>> fifos{locks};
  std::vector<counted<recursive_mutex>> recursives{locks};
  struct room {
    mutex lock;
    condition_variable changed;
    long tokens = 0;
  };
  std::vector<room> rooms{16};
};

/// A few locks are everybody's favourites: without contention there is nothing to see.
template <class Locks>
auto& favourite(Locks& all, std::minstd_rand& random) {
  return all[random() % 4 == 0 ? random() % all.size() : random() % 4];
}

void use_timed(auto& one, std::minstd_rand& random) {
  if (!one.lock.try_lock_for(std::chrono::microseconds(random() % 200))) return;
  one.add();
  one.lock.unlock();
}

void one_operation(hall& all, std::minstd_rand& random) {
  switch (random() % 8) {
    case 0:
      return use_timed(favourite(all.mutexes, random), random);
    case 1:
      return use_timed(favourite(all.fifos, random), random);
    case 2: {
      auto& one = favourite(all.recursives, random);
      const std::lock_guard outer(one.lock);
      const std::lock_guard inner(one.lock);
      return one.add();
    }
    case 3: {
      auto& one = favourite(all.fifos, random);
      const std::lock_guard guard(one.lock);
      return one.add();
    }
    case 4: {
      auto& one = favourite(all.mutexes, random);
      if (!one.lock.try_lock()) return;
      one.add();
      return one.lock.unlock();
    }
    case 5: {
      auto& here = favourite(all.rooms, random);
      const std::lock_guard guard(here.lock);
      ++here.tokens;
      return random() % 8 == 0 ? here.changed.notify_all() : here.changed.notify_one();
    }
    case 6: {
      auto& here = favourite(all.rooms, random);
      std::unique_lock guard(here.lock);
      if (here.changed.wait_for(guard, std::chrono::microseconds(random() % 300),
                                [&] { return here.tokens > 0; }))
        --here.tokens;
      return;
    }
    default: {
      auto& one = favourite(all.mutexes, random);
      const std::lock_guard guard(one.lock);
      one.add();
      if (random() % 64 == 0) std::this_thread::yield();  // a holder that loses its CPU
    }
  }
}

/// A child of a process with many threads may use locks that no other thread had: a new one, for instance.
void fork_once() {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    mutex lock;
    lock.lock();
    lock.unlock();
    ::_exit(0);
  }
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  EXPECT_EQ(status, 0);
}

long resident_pages() {
  std::ifstream file("/proc/self/statm");
  long size = 0, resident = 0;
  file >> size >> resident;
  return resident;
}

TEST(soak, thousands_of_locks_under_random_use_lose_nothing_and_leave_nothing_behind) {
  struct sigaction interrupt {};
  interrupt.sa_handler = [](int) {};  // no SA_RESTART: every sleep may end early
  ASSERT_EQ(::sigaction(SIGUSR1, &interrupt, nullptr), 0);

  hall all;
  std::atomic<bool> stop{false};
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < 8; ++i) {
    workers.emplace_back([&, i] {
      std::minstd_rand random(i + 1);
      while (!stop) {
        // A generation of threads: each does some work in a short life.
        const auto seed = static_cast<unsigned>(random());
        std::thread([&, seed] {
          std::minstd_rand mine(seed | 1U);
          for (int n = 0; n < 2000 && !stop; ++n) one_operation(all, mine);
        }).join();
      }
    });
  }

  const auto start = std::chrono::steady_clock::now();
  const auto whole = duration();
  long settled = 0;
  for (auto now = start; now - start < whole; now = std::chrono::steady_clock::now()) {
    ::kill(::getpid(), SIGUSR1);
    if (!sanitized) fork_once();
    if (settled == 0 && now - start > whole / 4) settled = resident_pages();
    std::this_thread::sleep_for(20ms);
  }
  const long at_the_end = resident_pages();
  stop = true;
  for (auto& worker : workers) worker.join();

  const auto check = [](const auto& locks) {
    for (const auto& one : locks) {
      EXPECT_TRUE(one.agrees()) << "counted " << one.plain << ", expected " << one.exact;
    }
  };
  check(all.mutexes);
  check(all.fifos);
  check(all.recursives);
  for (const auto& one : all.mutexes) EXPECT_EQ(word_of(one.lock), free_word);
  for (const auto& one : all.fifos) EXPECT_EQ(word_of(one.lock), free_word);
  if (!sanitized) {
    EXPECT_LT(at_the_end, settled + 2048)
        << "pages";  // 8 MiB for the allocator's arenas and the threads' stacks
  }
}

}  // namespace
}  // namespace hemlock::testing
