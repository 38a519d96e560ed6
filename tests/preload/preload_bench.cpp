// preload_bench [LIBRARY] [ROUNDS] [CASE...]: what the preload library costs or gains, as ratios to glibc.
//
// Each case is measured in child processes, one without and one with the library, in turns, so that whatever else
// the machine does touches both alike. The figure is the median of the rounds' ratios. A benchmark, not a test: it
// never fails.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;
constexpr auto duration = std::chrono::milliseconds(150);

double seconds_since(clock_type::time_point start) {
  return std::chrono::duration<double>(clock_type::now() - start).count();
}

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Operations of `step`, which does `batch` of them, per second of the thread's own CPU time: other programs on the
/// machine do not count.
double rate(int batch, const std::function<void()>& step) {
  for (int warm = 0; warm < 3; ++warm) step();
  const double start = cpu_seconds();
  double done = 0;
  double span = 0;
  do {
    step();
    done += batch;
    span = cpu_seconds() - start;
  } while (span < 0.1);
  return done / span;
}

double uncontended(int type, bool with_thread) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  // glibc leaves the atomic instructions out while a process has one thread.
  std::atomic<bool> over{false};
  std::thread other;
  if (with_thread) other = std::thread([&] { over.wait(false); });
  const double result = rate(10000, [&] {
    for (int i = 0; i < 10000; ++i) {
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
    }
  });
  over = true;
  over.notify_all();
  if (with_thread) other.join();
  return result;
}

/// A short critical section and a short pause, as in the paper's moderate contention.
double contended(int threads) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static volatile long shared[4];
  std::atomic<bool> over{false};
  std::atomic<long> total{0};
  std::vector<std::thread> workers;
  const auto start = clock_type::now();
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&] {
      long mine = 0;
      unsigned noise = 12345;
      while (!over.load(std::memory_order_relaxed)) {
        pthread_mutex_lock(&mutex);
        for (auto& word : shared) word = word + 1;
        pthread_mutex_unlock(&mutex);
        for (int i = 0; i < 20; ++i) noise = noise * 1664525U + 1013904223U;
        ++mine;
      }
      total += mine + (noise == 1 ? 1 : 0);
    });
  std::this_thread::sleep_for(2 * duration);
  over = true;
  const double span = seconds_since(start);
  for (auto& worker : workers) worker.join();
  return static_cast<double>(total.load()) / span;
}

double ping_pong() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t changed[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
  static int turn = 0;
  static bool over = false;
  const auto play = [](int me) {
    long rounds = 0;
    pthread_mutex_lock(&mutex);
    while (!over) {
      while (turn != me && !over) pthread_cond_wait(&changed[me], &mutex);
      turn = 1 - me;
      ++rounds;
      pthread_cond_signal(&changed[1 - me]);
    }
    pthread_mutex_unlock(&mutex);
    return rounds;
  };
  std::thread other([&] { play(1); });
  std::thread timer([] {
    std::this_thread::sleep_for(2 * duration);
    pthread_mutex_lock(&mutex);
    over = true;
    pthread_cond_broadcast(&changed[0]);
    pthread_cond_broadcast(&changed[1]);
    pthread_mutex_unlock(&mutex);
  });
  const auto start = clock_type::now();
  const long rounds = play(0);
  const double span = seconds_since(start);
  other.join();
  timer.join();
  return static_cast<double>(rounds) / span;
}

/// Rounds of: everybody waits, one wakes all, everybody has come through.
double broadcast(int waiters) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
  static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
  static long round = 0;
  static int waiting = 0;
  static bool over = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < waiters; ++t)
    threads.emplace_back([waiters] {
      pthread_mutex_lock(&mutex);
      while (!over) {
        const long seen = round;
        if (++waiting == waiters) pthread_cond_signal(&done);
        while (round == seen) pthread_cond_wait(&go, &mutex);
      }
      pthread_mutex_unlock(&mutex);
    });
  const auto start = clock_type::now();
  long rounds = 0;
  pthread_mutex_lock(&mutex);
  while (!over) {
    while (waiting < waiters) pthread_cond_wait(&done, &mutex);
    waiting = 0;
    ++round;
    ++rounds;
    over = clock_type::now() - start >= 2 * duration;
    pthread_cond_broadcast(&go);
  }
  pthread_mutex_unlock(&mutex);
  const double span = seconds_since(start);
  for (auto& thread : threads) thread.join();
  return static_cast<double>(rounds) / span;
}

struct bench_case {
  const char* name;
  const char* target;
  bool as_cost;  ///< the ratio shown is of costs, else of throughputs
  std::function<double()> run;
};

const std::vector<bench_case>& cases() {
  static const std::vector<bench_case> all = {
      {"uncontended-normal", "<= 1.0", true, [] { return uncontended(PTHREAD_MUTEX_NORMAL, false); }},
      {"uncontended-normal-threads", "<= 1.0", true, [] { return uncontended(PTHREAD_MUTEX_NORMAL, true); }},
      {"uncontended-recursive", "<= 1.1", true, [] { return uncontended(PTHREAD_MUTEX_RECURSIVE, false); }},
      {"uncontended-recursive-threads", "<= 1.1", true,
       [] { return uncontended(PTHREAD_MUTEX_RECURSIVE, true); }},
      {"uncontended-errorcheck", "<= 1.1", true, [] { return uncontended(PTHREAD_MUTEX_ERRORCHECK, false); }},
      {"uncontended-errorcheck-threads", "<= 1.1", true,
       [] { return uncontended(PTHREAD_MUTEX_ERRORCHECK, true); }},
      {"contended-2", ">= 1.0", false, [] { return contended(2); }},
      {"contended-4", ">= 1.0", false, [] { return contended(4); }},
      {"contended-16", ">= 1.0", false, [] { return contended(16); }},
      {"contended-64", ">= 1.0", false, [] { return contended(64); }},
      {"ping-pong", ">= 1.0", false, ping_pong},
      {"broadcast-4", ">= 1.0", false, [] { return broadcast(4); }},
      {"broadcast-16", ">= 1.0", false, [] { return broadcast(16); }},
      {"broadcast-64", ">= 1.0", false, [] { return broadcast(64); }},
  };
  return all;
}

/// The rate that a child measures, with `library` preloaded unless it is null.
double measure(const char* name, const char* library) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (library != nullptr)
      setenv("LD_PRELOAD", library, 1);
    else
      unsetenv("LD_PRELOAD");
    execl("/proc/self/exe", "preload_bench", "--measure", name, static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  char text[64] = {};
  if (read(ends[0], text, sizeof text - 1) < 0) text[0] = '\0';
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return std::strtod(text, nullptr);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--measure") == 0) {
    for (const auto& one : cases())
      if (std::strcmp(one.name, argv[2]) == 0) std::printf("%f\n", one.run());
    return 0;
  }
  const char* const library = argc > 1 ? argv[1] : "build/libhemlock-preload.so";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  std::printf("%-32s %14s %14s %10s %10s %8s\n", "case", "glibc op/s", "library op/s", "ratio", "spread",
              "target");
  for (const auto& one : cases()) {
    bool wanted = argc <= 3;
    for (int i = 3; i < argc; ++i) wanted = wanted || std::strstr(one.name, argv[i]) != nullptr;
    if (!wanted) continue;
    std::vector<double> ratios;
    std::vector<double> glibc;
    std::vector<double> ours;
    for (int round = 0; round < rounds; ++round) {
      glibc.push_back(measure(one.name, nullptr));
      ours.push_back(measure(one.name, library));
      ratios.push_back(one.as_cost ? glibc.back() / ours.back() : ours.back() / glibc.back());
    }
    const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
    std::printf("%-32s %14.0f %14.0f %9.2fx %4.2f-%.2f %8s\n", one.name, median(glibc), median(ours),
                median(ratios), *low, *high, one.target);
    std::fflush(stdout);
  }
}
