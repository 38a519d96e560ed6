// api_fuzzer FIRST_SEED COUNT: random sequences of the mutex and condition-variable functions, with every kind of
// mutex, wrong arguments and time limits, in one to four threads. Prints each call with what it returned; run
// without and with the preload library, the two outputs must be equal.
//
// One thread acts at a time, told by the main thread, so a seed always gives the same sequence. A call that POSIX
// leaves undefined, or that would block for ever, is not made: the main thread keeps a model of who holds what.
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int mutexes = 4;
constexpr int conds = 3;

/// A thread that does what it is told, one thing after another.
class worker {
public:
  worker() {
    sem_init(&told_, 0, 0);
    sem_init(&done_, 0, 0);
    pthread_create(
        &thread_, nullptr, [](void* self) -> void* { return static_cast<worker*>(self)->run(); }, this);
  }
  ~worker() {
    tell([] { return 0; }, true);
    pthread_join(thread_, nullptr);
  }
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  int ask(std::function<int()> action) {
    tell(std::move(action), false);
    return answer();
  }
  void tell(std::function<int()> action, bool last = false) {
    action_ = std::move(action);
    last_ = last;
    sem_post(&told_);
  }
  int answer() {
    while (sem_wait(&done_) != 0) continue;
    return result_;
  }

private:
  void* run() {
    while (true) {
      while (sem_wait(&told_) != 0) continue;
      const bool last = last_;
      result_ = action_();
      if (last) return nullptr;
      sem_post(&done_);
    }
  }

  sem_t told_;
  sem_t done_;
  pthread_t thread_{};
  std::function<int()> action_;
  bool last_ = false;
  int result_ = 0;
};

struct mutex_model {
  pthread_mutex_t mutex;
  bool alive = false;
  int type = PTHREAD_MUTEX_NORMAL;
  bool robust = false;
  int protocol = PTHREAD_PRIO_NONE;
  int holder = -1;
  int depth = 0;
};

timespec in_milliseconds(clockid_t clock, long milliseconds) {
  timespec when;
  clock_gettime(clock, &when);
  when.tv_sec += milliseconds / 1000;
  when.tv_nsec += milliseconds % 1000 * 1000000;
  if (when.tv_nsec >= 1000000000) {
    ++when.tv_sec;
    when.tv_nsec -= 1000000000;
  }
  return when;
}

class sequence {
public:
  explicit sequence(unsigned seed) : random_(seed), workers_(1 + seed % 4) {
    std::printf("seed %u, %zu threads\n", seed, workers_.size());
    for (int c = 0; c < conds; ++c) init_cond(c);
  }

  void run(int steps) {
    for (int step = 0; step < steps; ++step) one_step();
    for (int m = 0; m < mutexes; ++m) finish(m);
    for (int c = 0; c < conds; ++c) say("cond_destroy", 0, c, pthread_cond_destroy(&conds_[c]));
  }

private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  void say(const char* call, int thread, int object, int result) {
    std::printf("  %s t%d #%d -> %s\n", call, thread, object, result == 0 ? "0" : strerrorname_np(result));
  }

  int ask(int thread, std::function<int()> action) {
    return workers_[static_cast<std::size_t>(thread)].ask(std::move(action));
  }

  void init_cond(int c) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    monotonic_[c] = pick(2) == 1;
    pthread_condattr_setclock(&attributes, monotonic_[c] ? CLOCK_MONOTONIC : CLOCK_REALTIME);
    if (pick(4) == 0) pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    say("cond_init", 0, c,
        pthread_cond_init(&conds_[c], pick(4) == 0 && !monotonic_[c] ? nullptr : &attributes));
  }

  void init_mutex(mutex_model& model, int m) {
    static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                                PTHREAD_MUTEX_ADAPTIVE_NP};
    model = mutex_model{};
    model.type = types[pick(4)];
    const int way = pick(8);
    int result = 0;
    if (way == 0) {  // statically initialised, or in zeroed memory
      static const pthread_mutex_t blank = PTHREAD_MUTEX_INITIALIZER;
      static const pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
      static const pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
      static const pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
      model.mutex = model.type == PTHREAD_MUTEX_RECURSIVE    ? recursive
                    : model.type == PTHREAD_MUTEX_ERRORCHECK ? checking
                    : model.type == PTHREAD_MUTEX_NORMAL     ? blank
                                                             : adaptive;
    } else if (way == 1) {  // as C11 does it
      model.type = pick(2) == 0 ? PTHREAD_MUTEX_NORMAL : PTHREAD_MUTEX_RECURSIVE;
      result = mtx_init(reinterpret_cast<mtx_t*>(&model.mutex),
                        model.type == PTHREAD_MUTEX_RECURSIVE ? mtx_timed | mtx_recursive : mtx_timed);
    } else {
      pthread_mutexattr_t attributes;
      pthread_mutexattr_init(&attributes);
      pthread_mutexattr_settype(&attributes, model.type);
      if (way == 2) {
        model.robust = true;
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
      } else if (way == 3) {
        model.protocol = PTHREAD_PRIO_INHERIT;
        pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
      } else if (way == 4) {
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
      }
      result = pthread_mutex_init(&model.mutex, &attributes);
    }
    model.alive = result == 0;
    std::printf("  mutex_init #%d way %d type %d kind %#x -> %d\n", m, way, model.type,
                static_cast<unsigned>(model.mutex.__data.__kind), result);
  }

  void one_step() {
    const int m = pick(mutexes);
    mutex_model& model = models_[m];
    const int thread = pick(static_cast<int>(workers_.size()));
    if (!model.alive) return init_mutex(model, m);
    if (model.robust && model.holder < 0 && pick(3) == 0) return outlive_its_owner(model, thread, m);
    switch (pick(12)) {
      case 0:
      case 1:
        return lock(model, thread, m);
      case 2:
        return try_lock(model, thread, m);
      case 3:
        return timed_lock(model, thread, m);
      case 4:
      case 5:
      case 6:
        return unlock(model, thread, m);
      case 7:
        return destroy(model, m);
      case 8:
        return wait_in_vain(model, thread, m);
      case 9:
        return wait_and_be_called(model, m);
      case 10:
        return ask_the_rest(model, thread, m);
      default:
        return call_nobody();
    }
  }

  bool would_block(const mutex_model& model, int thread) const {
    if (model.holder < 0) return false;
    if (model.holder != thread) return true;
    return model.type == PTHREAD_MUTEX_NORMAL || model.type == PTHREAD_MUTEX_ADAPTIVE_NP;
  }

  void note_taken(mutex_model& model, int thread, int result) {
    if (result != 0) return;
    model.holder = thread;
    ++model.depth;
  }

  void lock(mutex_model& model, int thread, int m) {
    if (would_block(model, thread)) return timed_lock(model, thread, m);
    const int result = ask(thread, [&] { return pthread_mutex_lock(&model.mutex); });
    say("lock", thread, m, result);
    note_taken(model, thread, result);
  }

  void try_lock(mutex_model& model, int thread, int m) {
    const int result = ask(thread, [&] { return pthread_mutex_trylock(&model.mutex); });
    say("trylock", thread, m, result);
    note_taken(model, thread, result);
  }

  void timed_lock(mutex_model& model, int thread, int m) {
    // glibc's priority-inheriting mutexes leave deadlocks and odd times to the kernel: not ours to compare.
    const bool plain = model.protocol == PTHREAD_PRIO_NONE;
    const int way = plain ? pick(7) : 0;
    const clockid_t clock = plain && pick(2) == 1 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    timespec when = in_milliseconds(clock, 2);
    if (way == 3) when.tv_nsec = 1000000000;
    if (way == 4) when.tv_nsec = -1;
    if (way == 5) when.tv_sec = -5;
    if (way == 6) when = {0, 0};
    int result;
    if (clock == CLOCK_REALTIME)
      result = ask(thread, [&] { return pthread_mutex_timedlock(&model.mutex, &when); });
    else
      result = ask(thread, [&] { return pthread_mutex_clocklock(&model.mutex, clock, &when); });
    std::printf("  timed way %d ", way);
    say(clock == CLOCK_REALTIME ? "timedlock" : "clocklock", thread, m, result);
    note_taken(model, thread, result);
  }

  void unlock(mutex_model& model, int thread, int m) {
    const bool checks = model.type == PTHREAD_MUTEX_RECURSIVE || model.type == PTHREAD_MUTEX_ERRORCHECK;
    if (model.holder != thread && !checks) {
      if (model.holder < 0) return;
      thread = model.holder;
    }
    const int result = ask(thread, [&] { return pthread_mutex_unlock(&model.mutex); });
    say("unlock", thread, m, result);
    if (result == 0 && --model.depth == 0) model.holder = -1;
  }

  void destroy(mutex_model& model, int m) {
    if (model.robust && model.holder >= 0) return;  // succeeds, and leaves the holder with a wreck
    const int result = pthread_mutex_destroy(&model.mutex);
    say("destroy", -1, m, result);
    if (result != 0) return;
    model.alive = false;
    say("lock of a destroyed", -1, m, pthread_mutex_lock(&model.mutex));
    say("trylock of a destroyed", -1, m, pthread_mutex_trylock(&model.mutex));
    say("unlock of a destroyed", -1, m, pthread_mutex_unlock(&model.mutex));
  }

  void wait_in_vain(mutex_model& model, int thread, int m) {
    const bool checks = model.type == PTHREAD_MUTEX_RECURSIVE || model.type == PTHREAD_MUTEX_ERRORCHECK;
    if (model.holder != thread && !checks) return;
    const int c = pick(conds);
    const int way = pick(7);
    const bool by_clock = pick(2) == 1;
    clockid_t clock = by_clock ? (pick(2) == 1 ? CLOCK_MONOTONIC : CLOCK_REALTIME)
                               : (monotonic_[c] ? CLOCK_MONOTONIC : CLOCK_REALTIME);
    timespec when = in_milliseconds(clock, 2);
    if (way == 3) when.tv_nsec = 1000000000;
    if (way == 4) when.tv_nsec = -1;
    if (way == 5) when.tv_sec = -5;
    if (way == 6 && by_clock) clock = CLOCK_PROCESS_CPUTIME_ID;
    int result;
    if (by_clock)
      result = ask(thread, [&] { return pthread_cond_clockwait(&conds_[c], &model.mutex, clock, &when); });
    else
      result = ask(thread, [&] { return pthread_cond_timedwait(&conds_[c], &model.mutex, &when); });
    std::printf("  wait way %d cond %d ", way, c);
    say(by_clock ? "clockwait" : "timedwait", thread, m, result);
  }

  /// One thread waits, another takes the mutex, sees that destroy is refused, and calls it.
  void wait_and_be_called(mutex_model& model, int m) {
    if (workers_.size() < 2 || model.holder < 0 || model.depth != 1) return;
    const int sleeper = model.holder;
    const int caller = (sleeper + 1) % static_cast<int>(workers_.size());
    const int c = pick(conds);
    const bool all = pick(2) == 1;
    const int way = pick(2);
    const timespec when = in_milliseconds(monotonic_[c] ? CLOCK_MONOTONIC : CLOCK_REALTIME, 20000);
    bool ready = false;
    int waited = 0;
    workers_[static_cast<std::size_t>(sleeper)].tell([&] {
      while (!ready && waited == 0)
        waited = way == 0 ? pthread_cond_wait(&conds_[c], &model.mutex)
                          : pthread_cond_timedwait(&conds_[c], &model.mutex, &when);
      return waited;
    });
    const int locked = ask(caller, [&] { return pthread_mutex_lock(&model.mutex); });
    const int destroyed = model.robust ? EBUSY : pthread_mutex_destroy(&model.mutex);
    ready = true;
    const int called = all ? pthread_cond_broadcast(&conds_[c]) : pthread_cond_signal(&conds_[c]);
    const int unlocked = ask(caller, [&] { return pthread_mutex_unlock(&model.mutex); });
    const int woken = workers_[static_cast<std::size_t>(sleeper)].answer();
    std::printf("  called: lock %d destroy %d %s %d unlock %d ", locked, destroyed,
                all ? "broadcast" : "signal", called, unlocked);
    say(way == 0 ? "wait" : "timedwait", sleeper, m, woken);
  }

  /// A thread ends while it holds the mutex, and perhaps while another waits to get it back from a condition variable.
  void outlive_its_owner(mutex_model& model, int thread, int m) {
    const int c = pick(conds);
    const bool while_waiting = pick(2) == 1;
    bool ready = false;
    if (while_waiting) {
      say("lock", thread, m, ask(thread, [&] { return pthread_mutex_lock(&model.mutex); }));
      workers_[static_cast<std::size_t>(thread)].tell([&] {
        int result = 0;
        while (!ready && result == 0) result = pthread_cond_wait(&conds_[c], &model.mutex);
        return result;
      });
    }
    {
      worker doomed;
      say("doomed lock", -1, m, doomed.ask([&] { return pthread_mutex_lock(&model.mutex); }));
      ready = true;
      say("doomed signal", -1, c, doomed.ask([&] { return pthread_cond_signal(&conds_[c]); }));
    }
    if (while_waiting)
      say("wait", thread, m, workers_[static_cast<std::size_t>(thread)].answer());
    else
      say("lock", thread, m, ask(thread, [&] { return pthread_mutex_lock(&model.mutex); }));
    if (pick(2) == 1)
      say("consistent", thread, m, ask(thread, [&] { return pthread_mutex_consistent(&model.mutex); }));
    say("unlock", thread, m, ask(thread, [&] { return pthread_mutex_unlock(&model.mutex); }));
    const int again = ask(thread, [&] { return pthread_mutex_lock(&model.mutex); });
    say("lock", thread, m, again);
    if (again == 0) return note_taken(model, thread, again);
    say("trylock", thread, m, ask(thread, [&] { return pthread_mutex_trylock(&model.mutex); }));
    destroy(model, m);
  }

  void ask_the_rest(mutex_model& model, int thread, int m) {
    int ceiling = -1;
    say("consistent", thread, m, ask(thread, [&] { return pthread_mutex_consistent(&model.mutex); }));
    say("getprioceiling", thread, m,
        ask(thread, [&] { return pthread_mutex_getprioceiling(&model.mutex, &ceiling); }));
    say("setprioceiling", thread, m,
        ask(thread, [&] { return pthread_mutex_setprioceiling(&model.mutex, 1, &ceiling); }));
    timespec when = in_milliseconds(CLOCK_REALTIME, 1);
    const int result =
        ask(thread, [&] { return pthread_mutex_clocklock(&model.mutex, CLOCK_BOOTTIME, &when); });
    say("clocklock by another clock", thread, m, result);
    note_taken(model, thread, result);
  }

  void call_nobody() {
    const int c = pick(conds);
    say("signal", -1, c, pthread_cond_signal(&conds_[c]));
    say("broadcast", -1, c, pthread_cond_broadcast(&conds_[c]));
  }

  void finish(int m) {
    mutex_model& model = models_[m];
    while (model.alive && model.holder >= 0) unlock(model, model.holder, m);
    if (model.alive) destroy(model, m);
    std::printf("  kind of #%d at the end: %#x\n", m, static_cast<unsigned>(model.mutex.__data.__kind));
  }

  std::minstd_rand random_;
  std::vector<worker> workers_;
  mutex_model models_[mutexes];
  pthread_cond_t conds_[conds];
  bool monotonic_[conds] = {};
};

}  // namespace

int main(int argc, char** argv) {
  const unsigned first = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 1;
  const unsigned count = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 50;
  for (unsigned seed = first; seed < first + count; ++seed) sequence(seed).run(60);
}
