// The small programs that every lock goes through: explored in the checked World, run as stress in the native one.
//
// A scenario is a class template over the lock. Its members are shared by its threads; run(t) is what thread t
// does; finish() asks at the end. Mutual exclusion is checked by the plain counters: two sections that are not
// ordered are a data race on them.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "hemlock/locks/lock_handle.hpp"

namespace hemlock::check {

/// How often each thread does its thing.
struct shape {
  std::array<int, 6> times{};
  unsigned threads = 0;

  shape(std::initializer_list<int> list) {
    for (const int each : list) times[threads++] = each;
  }
  [[nodiscard]] int total() const {
    int sum = 0;
    for (const int each : times) sum += each;
    return sum;
  }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (unsigned i = 0; i < threads; ++i) out += (i == 0 ? "" : "+") + std::to_string(times[i]);
    return out;
  }
};

/// Where a thread stands, for a World that wants to know: what it does from here on depends on that alone (and on memory),
/// not on how it came here. To be called between two operations on locks, with a different number at each place.
template <class World>
void checkpoint([[maybe_unused]] int position) {
  if constexpr (requires { World::checkpoint(0); }) World::checkpoint(static_cast<std::uint64_t>(position));
}

/// A lock with what it protects.
template <class Lock>
struct guarded {
  using world = typename Lock::world_type;
  Lock lock;
  typename world::template plain<int> entries{0};

  void enter() { entries = entries + 1; }
};

template <class Lock>
std::string expect_entries(const guarded<Lock>& one, int expected) {
  const int seen = one.entries;
  return seen == expected ? ""
                          : "entered " + std::to_string(seen) + " times, not " + std::to_string(expected);
}

/// Threads that take one lock again and again.
template <class Lock>
class one_lock {
  using world = typename Lock::world_type;

public:
  explicit one_lock(const shape& how) : how_(how) {}
  static int kind(const shape& how, unsigned thread) { return how.times[thread]; }
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<world>(4 * i);
      lock_handle<Lock> handle(shared_.lock);
      handle.lock();
      checkpoint<world>(4 * i + 1);
      shared_.enter();
      handle.unlock();
      checkpoint<world>(4 * i + 2);
    }
  }
  std::string finish() { return expect_entries(shared_, how_.total()); }

private:
  guarded<Lock> shared_;
  shape how_;
};

/// Some hold both locks, always in the same order; the last thread takes the inner one only.
template <class Lock>
class nested {
  using world = typename Lock::world_type;

public:
  explicit nested(const shape& how) : how_(how) {}
  static int kind(const shape& how, unsigned thread) {
    return how.times[thread] * 2 + (thread + 1 < how.threads || how.threads == 2 ? 1 : 0);
  }
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<world>(8 * i);
      lock_handle<Lock> outer(outer_.lock);
      lock_handle<Lock> inner(inner_.lock);
      const bool both = thread + 1 < how_.threads || how_.threads == 2;
      if (both) {
        outer.lock();
        checkpoint<world>(8 * i + 1);
        outer_.enter();
      }
      inner.lock();
      checkpoint<world>(8 * i + 2);
      inner_.enter();
      inner.unlock();
      checkpoint<world>(8 * i + 3);
      if (both) outer.unlock();
      checkpoint<world>(8 * i + 4);
    }
  }
  std::string finish() { return expect_entries(inner_, how_.total()); }

private:
  guarded<Lock> outer_;
  guarded<Lock> inner_;
  shape how_;
};

/// Down a list of three locks, the next taken before the last is left.
template <class Lock>
class hand_over_hand {
  using world = typename Lock::world_type;

public:
  explicit hand_over_hand(const shape& how) : how_(how) {}
  static int kind(const shape& how, unsigned thread) { return how.times[thread]; }
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<world>(8 * i);
      lock_handle<Lock> first(list_[0].lock);
      lock_handle<Lock> second(list_[1].lock);
      lock_handle<Lock> third(list_[2].lock);
      first.lock();
      checkpoint<world>(8 * i + 1);
      list_[0].enter();
      second.lock();
      checkpoint<world>(8 * i + 2);
      first.unlock();
      checkpoint<world>(8 * i + 3);
      list_[1].enter();
      third.lock();
      checkpoint<world>(8 * i + 4);
      second.unlock();
      checkpoint<world>(8 * i + 5);
      list_[2].enter();
      third.unlock();
      checkpoint<world>(8 * i + 6);
    }
  }
  std::string finish() { return expect_entries(list_[2], how_.total()); }

private:
  std::array<guarded<Lock>, 3> list_;
  shape how_;
};

/// One thread holds two locks, a waiter for each looks at the same word. `InOrder`: released as taken, else reversed.
template <class Lock, bool InOrder>
class multi_waiting {
  using world = typename Lock::world_type;

public:
  explicit multi_waiting(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<world>(8 * i);
      if (thread == 0)
        hold_both(8 * i);
      else
        take(thread == 1 ? a_ : b_, 8 * i);
    }
  }
  std::string finish() { return ""; }

private:
  void take(guarded<Lock>& one, int place) {
    lock_handle<Lock> handle(one.lock);
    handle.lock();
    checkpoint<world>(place + 1);
    one.enter();
    handle.unlock();
    checkpoint<world>(place + 2);
  }
  void hold_both(int place) {
    lock_handle<Lock> a(a_.lock);
    lock_handle<Lock> b(b_.lock);
    a.lock();
    checkpoint<world>(place + 1);
    a_.enter();
    b.lock();
    checkpoint<world>(place + 2);
    b_.enter();
    if (InOrder) {
      a.unlock();
      checkpoint<world>(place + 3);
      b.unlock();
    } else {
      b.unlock();
      checkpoint<world>(place + 3);
      a.unlock();
    }
    checkpoint<world>(place + 4);
  }

  guarded<Lock> a_;
  guarded<Lock> b_;
  shape how_;
};

/// The holder of contended locks itself waits for one more: 0 holds `a` (and `b`, with four threads) and wants `c`.
template <class Lock>
class holder_waits {
  using world = typename Lock::world_type;

public:
  explicit holder_waits(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    if (thread == 0) return hold_and_want();
    guarded<Lock>& mine = thread == 1 ? c_ : thread == 2 ? a_ : b_;
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<world>(4 * i);
      lock_handle<Lock> handle(mine.lock);
      handle.lock();
      checkpoint<world>(4 * i + 1);
      mine.enter();
      handle.unlock();
      checkpoint<world>(4 * i + 2);
    }
  }
  std::string finish() { return ""; }

private:
  void hold_and_want() {
    lock_handle<Lock> a(a_.lock);
    lock_handle<Lock> b(b_.lock);
    lock_handle<Lock> c(c_.lock);
    a.lock();
    checkpoint<world>(1);
    a_.enter();
    if (how_.threads > 3) b.lock();
    checkpoint<world>(2);
    c.lock();
    checkpoint<world>(3);
    c_.enter();
    a.unlock();
    checkpoint<world>(4);
    c.unlock();
    checkpoint<world>(5);
    if (how_.threads > 3) b.unlock();
    checkpoint<world>(6);
  }

  guarded<Lock> a_;
  guarded<Lock> b_;
  guarded<Lock> c_;
  shape how_;
};

/// 0 locks, then tries; 1 tries twice; the others lock.
template <class Lock>
class try_lock_races {
  using world = typename Lock::world_type;

public:
  explicit try_lock_races(const shape& how) : how_(how) {}
  static int kind(const shape& how, unsigned thread) {
    return thread > 1 ? 100 + how.times[thread] : static_cast<int>(thread);
  }
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<world>(4 * i);
      lock_handle<Lock> handle(shared_.lock);
      const bool tries = thread == 1 || (thread == 0 && i > 0);
      if (tries) {
        if (!handle.try_lock()) continue;
      } else {
        handle.lock();
      }
      checkpoint<world>(4 * i + 1);
      shared_.enter();
      handle.unlock();
      checkpoint<world>(4 * i + 2);
    }
  }
  std::string finish() {
    const int seen = shared_.entries;
    return seen >= 1 && seen <= how_.total() ? "" : "entered " + std::to_string(seen) + " times";
  }

private:
  guarded<Lock> shared_;
  shape how_;
};

/// A timed attempt: in the native World it lasts a moment, in the checked one it may end at any time.
template <class Lock>
bool try_lock_for_a_moment(Lock& lock) {
  using world = typename Lock::world_type;
  if constexpr (requires { world::checks::gave_up(nullptr, 0); }) {
    world::checks::locking(&lock, Lock::traits.name);
    const bool taken = lock.try_acquire_until(typename world::deadline{});
    if (taken)
      world::checks::locked(&lock, Lock::traits.name);
    else
      world::checks::gave_up(&lock, sizeof lock);
    return taken;
  } else {
    return lock.try_lock_for(std::chrono::microseconds(20));
  }
}

/// 1 waits for a limited time only, then for as long as it takes; the others lock. Nobody who gave up is still in the queue
/// at the end.
template <class Lock>
class timed_waits {
  using world = typename Lock::world_type;

public:
  explicit timed_waits(const shape& how) : how_(how) {}
  static int kind(const shape& how, unsigned thread) { return thread == 1 ? 100 : how.times[thread]; }
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<world>(4 * i);
      if (thread == 1 && i == 0) {
        if (!try_lock_for_a_moment(shared_.lock)) continue;
      } else {
        shared_.lock.lock();
      }
      checkpoint<world>(4 * i + 1);
      shared_.enter();
      shared_.lock.unlock();
      checkpoint<world>(4 * i + 2);
    }
  }
  std::string finish() {
    std::uint64_t word = 0;
    if constexpr (requires { world::final_value(nullptr); })
      word = world::final_value(&shared_.lock);
    else
      std::memcpy(&word, static_cast<const void*>(&shared_.lock), sizeof word);
    if (word != 0) return "the lock is not free at the end, or somebody is still in its queue";
    const int seen = shared_.entries;
    return seen >= how_.total() - 1 && seen <= how_.total() ? ""
                                                            : "entered " + std::to_string(seen) + " times";
  }

private:
  guarded<Lock> shared_;
  shape how_;
};

/// A lock inside a reference-counted object: whoever leaves last destroys it.
template <class Lock>
class destroyed_by_last {
  using world = typename Lock::world_type;
  struct object : guarded<Lock> {
    explicit object(int users) : references(users) {}
    typename world::template plain<int> references;
  };

public:
  explicit destroyed_by_last(const shape& how)
      : how_(how), object_(world::template create<object>(static_cast<int>(how.threads))) {}
  static int kind(const shape&, unsigned) { return 0; }
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned) {
    lock_handle<Lock> handle(object_->lock);
    handle.lock();
    checkpoint<world>(1);
    object_->enter();
    const int left = object_->references - 1;
    object_->references = left;
    handle.unlock();
    checkpoint<world>(left == 0 ? 2 : 3);
    if (left == 0) world::destroy(object_);
  }
  std::string finish() { return ""; }

private:
  shape how_;
  object* object_;
};

/// Thread 0 is interrupted at any point of lock and unlock by a handler that uses another, contended, lock; with
/// two signals, the handler too.
template <class Lock>
class signal_handler {
public:
  explicit signal_handler(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    if (thread != 0) return use(thread == 1 ? outer_ : inner_);
    depth_ = 0;
    if constexpr (requires { Lock::world_type::on_signal(nullptr, 0); })
      Lock::world_type::on_signal([this] { handle(); }, how_.times[0]);
    use(outer_);
    if constexpr (requires { Lock::world_type::on_signal(nullptr, 0); })
      Lock::world_type::on_signal(nullptr, 0);
  }
  std::string finish() { return ""; }

private:
  static void use(guarded<Lock>& one) {
    lock_handle<Lock> handle(one.lock);
    handle.lock();
    one.enter();
    handle.unlock();
  }
  void handle() {
    const int depth = depth_++;  // a handler interrupts only what it nests in
    use(depth == 0 ? inner_ : innermost_);
    --depth_;
  }

  guarded<Lock> outer_;
  guarded<Lock> inner_;
  guarded<Lock> innermost_;
  int depth_ = 0;
  shape how_;
};

}  // namespace hemlock::check
