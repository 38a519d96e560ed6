// A program of which everything is known: its locks, who takes them how often and for how long, who waits for whom,
// and an inversion. It measures its own waits and holds with the recorder's clock, from the inside and from the
// outside: whatever the machine does meanwhile, the true time lies between the two. It prints them,
//   wait INSIDE OUTSIDE
//   hold INSIDE OUTSIDE      by slow_holder
//   other INSIDE OUTSIDE     by others
// in nanoseconds, for the profile to be compared with.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "watching.hpp"

namespace {

constexpr int rounds = 10;
constexpr std::uint64_t hold = 20'000'000;

struct span {
  std::uint64_t inside;
  std::uint64_t outside;
};
std::vector<span> waits(rounds);
std::vector<span> holds(rounds);
std::vector<span> other_holds;
std::atomic<int> waiter_id{0};
std::uint64_t released_after = 0;  ///< g_busy guards it
sem_t taken;
sem_t asked;
sem_t done;

struct shard {
  long filler;
  std::mutex mutex_;
};
struct table {
  int size;
  shard shards[4];
};

}  // namespace

pthread_mutex_t g_busy = PTHREAD_MUTEX_INITIALIZER;
std::mutex g_quiet;
std::mutex g_first;
std::mutex g_second;
std::mutex g_gate;
pthread_cond_t g_gate_opens = PTHREAD_COND_INITIALIZER;
static table g_table;

struct account {
  long balance = 0;
  std::mutex mutex;
};

[[gnu::noinline]] void slow_holder() {
  for (int i = 0; i < rounds; ++i) {
    const std::uint64_t before = now();
    pthread_mutex_lock(&g_busy);
    const std::uint64_t begin = now();
    sem_post(&taken);
    sem_wait(&asked);
    await_sleep_of(waiter_id);
    const std::uint64_t asleep = now();
    while (now() < asleep + hold) usleep(500);
    const std::uint64_t end = now();
    waits[static_cast<std::size_t>(i)].inside = end - asleep;
    released_after = end;
    pthread_mutex_unlock(&g_busy);
    holds[static_cast<std::size_t>(i)] = {end - begin, now() - before};
    sem_wait(&done);
  }
}

[[gnu::noinline]] void patient_waiter() {
  waiter_id = gettid();
  for (int i = 0; i < rounds; ++i) {
    sem_wait(&taken);
    sem_post(&asked);
    const std::uint64_t begin = now();
    pthread_mutex_lock(&g_busy);
    const std::uint64_t mine = now();
    const std::uint64_t earliest = released_after;
    waits[static_cast<std::size_t>(i)].outside = mine - begin;
    const std::uint64_t end = now();
    pthread_mutex_unlock(&g_busy);
    other_holds.push_back({end - mine, now() - earliest});
    sem_post(&done);
  }
}

[[gnu::noinline]] void quiet_worker() {
  for (int i = 0; i < 100'000; ++i) {
    const std::lock_guard guard(g_quiet);
    asm volatile("" ::: "memory");
  }
}

[[gnu::noinline]] void forward() {
  const std::lock_guard first(g_first);
  const std::lock_guard second(g_second);
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void backward() {
  const std::lock_guard second(g_second);
  const std::lock_guard first(g_first);
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void make_deposit(account& to) {
  const std::lock_guard guard(to.mutex);
  ++to.balance;
}

[[gnu::noinline]] void fill_shard() {
  for (int i = 0; i < 5; ++i) {
    const std::lock_guard guard(g_table.shards[3].mutex_);
    ++g_table.size;
  }
}

[[gnu::noinline]] void try_in_vain() {
  for (int i = 0; i < 7; ++i)
    if (pthread_mutex_trylock(&g_busy) == 0) std::abort();
}

[[gnu::noinline]] void wait_in_vain() {
  timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  if (pthread_mutex_timedlock(&g_busy, &soon) != ETIMEDOUT) std::abort();
}

[[gnu::noinline]] void pass_the_gate() {
  int opened = 0;
  std::thread opener([&] {
    for (int i = 1; i <= 3; ++i) {
      sem_wait(&asked);
      g_gate.lock();
      opened = i;
      pthread_cond_signal(&g_gate_opens);
      g_gate.unlock();
    }
  });
  for (int i = 1; i <= 3; ++i) {
    g_gate.lock();
    sem_post(&asked);
    while (opened < i) pthread_cond_wait(&g_gate_opens, g_gate.native_handle());
    g_gate.unlock();
  }
  opener.join();
}

static void print(const char* what, const std::vector<span>& times) {
  for (const span& one : times)
    std::printf("%s %llu %llu\n", what, static_cast<unsigned long long>(one.inside),
                static_cast<unsigned long long>(one.outside));
}

/// How the program ends, after all is recorded.
int main(int argc, char** argv) {
  for (sem_t* one : {&taken, &asked, &done}) sem_init(one, 0, 0);
  std::thread holder(slow_holder);
  std::thread waiter(patient_waiter);
  holder.join();
  waiter.join();

  const std::uint64_t before = now();
  pthread_mutex_lock(&g_busy);
  const std::uint64_t begin = now();
  std::thread(try_in_vain).join();
  std::thread(wait_in_vain).join();
  const std::uint64_t after = now();
  pthread_mutex_unlock(&g_busy);
  other_holds.push_back({after - begin, now() - before});

  quiet_worker();
  std::thread(forward).join();
  std::thread(backward).join();
  auto* const mine = new account;
  for (int i = 0; i < 12; ++i) make_deposit(*mine);
  fill_shard();
  pass_the_gate();

  print("wait", waits);
  print("hold", holds);
  print("other", other_holds);
  std::fflush(stdout);
  const char* const end = argc > 1 ? argv[1] : "";
  if (std::strcmp(end, "kill") == 0) kill(getpid(), SIGKILL);
  if (std::strcmp(end, "segv") == 0) raise(SIGSEGV);
  if (std::strcmp(end, "_exit") == 0) _exit(0);
  if (std::strcmp(end, "fork") == 0) {
    if (fork() == 0) {
      for (int i = 0; i < 9; ++i) make_deposit(*mine);
      std::exit(0);
    }
    int status = 0;
    if (wait(&status) < 0 || status != 0) return 1;
  }
  delete mine;
  return 0;
}
