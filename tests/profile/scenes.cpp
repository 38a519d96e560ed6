// Small scenes, one per run, of which everything is known. Each says before it what a profile must hold.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "watching.hpp"

namespace {

/// A thread that asks for a mutex that somebody holds; when made, it sleeps there.
class queued {
public:
  explicit queued(std::mutex& wanted) {
    thread_ = std::thread([this, &wanted] {
      id_.store(gettid());
      id_.notify_one();
      const std::lock_guard guard(wanted);
    });
    id_.wait(0);
    await_sleep_of(id_.load());
  }
  ~queued() { thread_.join(); }
  queued(const queued&) = delete;
  queued& operator=(const queued&) = delete;

private:
  std::atomic<int> id_{0};
  std::thread thread_;
};

}  // namespace

std::mutex g_queue;
std::mutex g_left;
std::mutex g_right;
std::recursive_mutex g_again;
std::array<std::mutex, 4> g_ladder;

/// Three threads in one queue, each behind another: 4 acquisitions, 3 of them contended, 3 changes of owner, the
/// longest queue is 3, and on no Grant wait two.
static void queue() {
  g_queue.lock();
  const queued first(g_queue);
  const queued second(g_queue);
  const queued third(g_queue);
  g_queue.unlock();
}

/// Two threads directly behind one that holds two locks: with Hemlock both wait on its one Grant.
static void grants() {
  g_left.lock();
  g_right.lock();
  const queued first(g_left);
  const queued second(g_right);
  g_right.unlock();
  g_left.unlock();
}

/// Four locks held at once, three of the calls with another lock held; what a recursive mutex's owner locks again is
/// no lock call to anybody else.
static void ladder() {
  for (auto& one : g_ladder) one.lock();
  for (auto& one : g_ladder) one.unlock();
  for (int i = 0; i < 3; ++i) g_again.lock();
  for (int i = 0; i < 3; ++i) g_again.unlock();
}

struct vault {
  long filler[5] = {};
  std::mutex mutex_;
  long opened = 0;
  [[gnu::noinline]] void open() {
    const std::lock_guard guard(mutex_);
    ++opened;
  }
};
namespace bank {
struct branch : vault {
  struct cell {
    int number;
    pthread_mutex_t lock;
  };
  cell cells[3] = {};
};
}  // namespace bank
/// The mutex itself is all that this function knows.
[[gnu::noinline]] static void turn(pthread_mutex_t* lock) {
  pthread_mutex_lock(lock);
  asm volatile("" ::: "memory");
  pthread_mutex_unlock(lock);
}
[[gnu::noinline]] static void open_cell(bank::branch& where, int number) {
  turn(&where.cells[number].lock);
  asm volatile("" : : "r"(&where) : "memory");
}

/// Mutexes in objects on the heap: vault::mutex_ taken 6 times, bank::branch::cells[2].lock twice.
static void objects() {
  const auto plain = std::make_unique<vault>();
  const auto branch = std::make_unique<bank::branch>();
  for (int i = 0; i < 6; ++i) plain->open();
  for (int i = 0; i < 2; ++i) open_cell(*branch, 2);
}

/// One mutex after another at the same address, from the same place: 50 mutexes taken 100 times. Destroying one is
/// no acquisition; nor is it a call with another lock held.
[[gnu::noinline]] static void live_once(pthread_mutex_t& place) {
  pthread_mutex_init(&place, nullptr);
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&place);
    pthread_mutex_unlock(&place);
  }
  const std::lock_guard other(g_left);
  pthread_mutex_destroy(&place);
}
static void lives() {
  static pthread_mutex_t g_reused;
  for (int i = 0; i < 50; ++i) live_once(g_reused);
}

/// A wait of 30 ms on a condition that does not come: one condition wait, two acquisitions.
static void condition() {
  std::unique_lock guard(g_left);
  std::condition_variable never;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
  while (never.wait_until(guard, limit) != std::cv_status::timeout) {
  }
}

/// So many threads, each with a mutex of its own taken once, and all with one.
static void threads(int count) {
  for (int begun = 0; begun < count;) {
    std::vector<std::thread> some;
    for (int i = 0; i < 100 && begun < count; ++i, ++begun)
      some.emplace_back([] {
        const auto own = std::make_unique<vault>();
        own->open();
        const std::lock_guard guard(g_queue);
      });
    for (auto& one : some) one.join();
  }
}

/// So many mutexes, each taken once, all alive at once.
static void mutexes(int count) {
  const auto all = std::make_unique<std::mutex[]>(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const std::lock_guard guard(all[static_cast<std::size_t>(i)]);
    asm volatile("" ::: "memory");
  }
  const std::lock_guard last(g_queue);
}

int main(int argc, char** argv) {
  const auto is = [&](const char* name) { return argc > 1 && std::strcmp(argv[1], name) == 0; };
  const int count = argc > 2 ? std::atoi(argv[2]) : 0;
  if (is("queue")) return queue(), 0;
  if (is("grants")) return grants(), 0;
  if (is("ladder")) return ladder(), 0;
  if (is("objects")) return objects(), 0;
  if (is("lives")) return lives(), 0;
  if (is("condition")) return condition(), 0;
  if (is("threads")) return threads(count), 0;
  if (is("mutexes")) return mutexes(count), 0;
  return 2;
}
