// What condition variables are used for, three ways: ping-pong, a bounded queue, waking everybody.
//
// A Pair names `mutex` and `condition`, and says how to lock, unlock, wait, notify_one and notify_all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bench/workload.hpp"
#include "hemlock/platform/cache_line.hpp"
#include "hemlock/platform/thread_safety.hpp"

namespace hemlock::bench {

/// Stands between lock and unlock. Not the pair's own guard: not every library has one.
template <class Pair>
class pair_hold {
public:
  explicit pair_hold(typename Pair::mutex& mutex) HEMLOCK_NO_THREAD_SAFETY_ANALYSIS : mutex_(mutex) {
    Pair::lock(mutex_);
  }
  pair_hold(const pair_hold&) = delete;
  pair_hold& operator=(const pair_hold&) = delete;
  ~pair_hold() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { Pair::unlock(mutex_); }

private:
  typename Pair::mutex& mutex_;
};

/// Two threads take turns; an operation is one turn.
template <class Pair>
class ping_pong final : public workload {
public:
  void work(worker& me) override {
    const int other = 1 - me.index;
    repeat(me, [&] {
      const pair_hold<Pair> hold(mutex_);
      while (turn_ != me.index && !over_) Pair::wait(changed_, mutex_);
      turn_ = other;
      Pair::notify_one(changed_);
    });
  }
  void stop() override {
    const pair_hold<Pair> hold(mutex_);
    over_ = true;
    Pair::notify_all(changed_);
  }

private:
  typename Pair::mutex mutex_{};
  typename Pair::condition changed_{};
  int turn_ = 0;
  bool over_ = false;
};

/// The first threads put numbers in, the others take them out; an operation is one taken out.
template <class Pair>
class bounded_queue final : public workload {
public:
  static constexpr std::size_t capacity = 16;

  explicit bounded_queue(int producers) : producers_(producers) {}

  void work(worker& me) override {
    if (me.index < producers_) {
      repeat(me, [&] { put(me.operations); });
      me.operations = 0;
    } else {
      repeat(me, [&] { take(); });
    }
  }
  void stop() override {
    const pair_hold<Pair> hold(mutex_);
    over_ = true;
    Pair::notify_all(not_full_);
    Pair::notify_all(not_empty_);
  }

private:
  void put(std::uint64_t value) {
    const pair_hold<Pair> hold(mutex_);
    while (count_ == capacity && !over_) Pair::wait(not_full_, mutex_);
    if (over_) return;
    items_[(first_ + count_++) % capacity] = value;
    Pair::notify_one(not_empty_);
  }
  void take() {
    const pair_hold<Pair> hold(mutex_);
    while (count_ == 0 && !over_) Pair::wait(not_empty_, mutex_);
    if (over_) return;
    sum_ += items_[first_];
    first_ = (first_ + 1) % capacity;
    --count_;
    Pair::notify_one(not_full_);
  }

  const int producers_;
  typename Pair::mutex mutex_{};
  typename Pair::condition not_full_{};
  typename Pair::condition not_empty_{};
  std::array<std::uint64_t, capacity> items_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::uint64_t sum_ = 0;
  bool over_ = false;
};

/// One thread waits until all others wait, then wakes them at once; an operation is one such round.
template <class Pair>
class wake_everybody final : public workload {
public:
  void work(worker& me) override {
    const int sleepers = me.threads - 1;
    if (me.index == 0) {
      repeat(me, [&] { wake(sleepers); });
    } else {
      repeat(me, [&] { sleep(sleepers); });
      me.operations = 0;
    }
  }
  void stop() override {
    const pair_hold<Pair> hold(mutex_);
    over_ = true;
    Pair::notify_all(all_asleep_);
    Pair::notify_all(round_changed_);
  }

private:
  void wake(int sleepers) {
    const pair_hold<Pair> hold(mutex_);
    while (asleep_ < sleepers && !over_) Pair::wait(all_asleep_, mutex_);
    asleep_ = 0;
    ++round_;
    Pair::notify_all(round_changed_);
  }
  void sleep(int sleepers) {
    const pair_hold<Pair> hold(mutex_);
    if (over_) return;
    if (++asleep_ == sleepers) Pair::notify_one(all_asleep_);
    for (const std::uint64_t now = round_; now == round_ && !over_;) Pair::wait(round_changed_, mutex_);
  }

  typename Pair::mutex mutex_{};
  typename Pair::condition all_asleep_{};
  typename Pair::condition round_changed_{};
  int asleep_ = 0;
  std::uint64_t round_ = 0;
  bool over_ = false;
};

}  // namespace hemlock::bench
