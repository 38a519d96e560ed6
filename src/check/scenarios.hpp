// The small programs that every lock goes through: explored in the checked World, run as stress in the native one.
//
// A scenario is a class template over the lock. Its members are shared by its threads; run(t) is what thread t
// does; finish() asks at the end. Mutual exclusion is checked by the plain counters: two sections that are not
// ordered are a data race on them.
#pragma once

#include <array>
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
public:
  explicit one_lock(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<typename Lock::world_type>(i);
      lock_handle<Lock> handle(shared_.lock);
      handle.lock();
      shared_.enter();
      handle.unlock();
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
public:
  explicit nested(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<typename Lock::world_type>(i);
      lock_handle<Lock> outer(outer_.lock);
      lock_handle<Lock> inner(inner_.lock);
      const bool both = thread + 1 < how_.threads || how_.threads == 2;
      if (both) {
        outer.lock();
        outer_.enter();
      }
      inner.lock();
      inner_.enter();
      inner.unlock();
      if (both) outer.unlock();
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
public:
  explicit hand_over_hand(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<typename Lock::world_type>(i);
      lock_handle<Lock> first(list_[0].lock);
      lock_handle<Lock> second(list_[1].lock);
      lock_handle<Lock> third(list_[2].lock);
      first.lock();
      list_[0].enter();
      second.lock();
      first.unlock();
      list_[1].enter();
      third.lock();
      second.unlock();
      list_[2].enter();
      third.unlock();
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
public:
  explicit multi_waiting(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<typename Lock::world_type>(i);
      if (thread == 0)
        hold_both();
      else
        take(thread == 1 ? a_ : b_);
    }
  }
  std::string finish() { return ""; }

private:
  void take(guarded<Lock>& one) {
    lock_handle<Lock> handle(one.lock);
    handle.lock();
    one.enter();
    handle.unlock();
  }
  void hold_both() {
    lock_handle<Lock> a(a_.lock);
    lock_handle<Lock> b(b_.lock);
    a.lock();
    a_.enter();
    b.lock();
    b_.enter();
    if (InOrder) {
      a.unlock();
      b.unlock();
    } else {
      b.unlock();
      a.unlock();
    }
  }

  guarded<Lock> a_;
  guarded<Lock> b_;
  shape how_;
};

/// The holder of contended locks itself waits for one more: 0 holds `a` (and `b`, with four threads) and wants `c`.
template <class Lock>
class holder_waits {
public:
  explicit holder_waits(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    if (thread == 0) return hold_and_want();
    guarded<Lock>& mine = thread == 1 ? c_ : thread == 2 ? a_ : b_;
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<typename Lock::world_type>(i);
      lock_handle<Lock> handle(mine.lock);
      handle.lock();
      mine.enter();
      handle.unlock();
    }
  }
  std::string finish() { return ""; }

private:
  void hold_and_want() {
    lock_handle<Lock> a(a_.lock);
    lock_handle<Lock> b(b_.lock);
    lock_handle<Lock> c(c_.lock);
    a.lock();
    a_.enter();
    if (how_.threads > 3) b.lock();
    c.lock();
    c_.enter();
    a.unlock();
    c.unlock();
    if (how_.threads > 3) b.unlock();
  }

  guarded<Lock> a_;
  guarded<Lock> b_;
  guarded<Lock> c_;
  shape how_;
};

/// 0 locks, then tries; 1 tries twice; the others lock.
template <class Lock>
class try_lock_races {
public:
  explicit try_lock_races(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned thread) {
    for (int i = 0; i < how_.times[thread]; ++i) {
      checkpoint<typename Lock::world_type>(i);
      lock_handle<Lock> handle(shared_.lock);
      const bool tries = thread == 1 || (thread == 0 && i > 0);
      if (tries) {
        if (!handle.try_lock()) continue;
      } else {
        handle.lock();
      }
      shared_.enter();
      handle.unlock();
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
  [[nodiscard]] unsigned threads() const { return how_.threads; }
  void run(unsigned) {
    lock_handle<Lock> handle(object_->lock);
    handle.lock();
    object_->enter();
    const int left = object_->references - 1;
    object_->references = left;
    handle.unlock();
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
