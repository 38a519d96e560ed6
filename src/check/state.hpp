// Everything that decides how a checked program can go on, and that the explorer copies and compares.
//
// The threads themselves run on fibers, whose stacks are not part of this: what a thread will do next is
// decided by the results its operations have given it so far, so its history of results stands for its stack,
// and a fiber is brought to any state by running it from its start on recorded results.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "check/memory.hpp"

namespace hemlock::check {

enum class action : std::uint8_t {
  load,
  store,
  exchange,
  add,
  bit_or,
  bit_and,
  bit_xor,
  compare_exchange,
  compare_exchange_weak,
  fence,
  park,
  park_until,
  unpark_one,
  unpark_all,
  monitor_lock,
  monitor_unlock,
  monitor_wait,
  monitor_notify,
  choose,  ///< `operand` ways to go on
  again,   ///< the next iteration of a wait loop that has written something
  finished,
};

/// What a thread asks for before it can go on.
struct request {
  action what = action::finished;
  std::memory_order order = std::memory_order_relaxed;
  std::memory_order failure_order = std::memory_order_relaxed;
  address where = 0;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;
  std::uint64_t initial = 0;
  std::uint64_t mask = ~std::uint64_t{0};
  const char* label = "";
  const char* failure_label = "";
};

struct thread_state {
  enum class sleep : std::uint8_t { awake, parked, waiting, relocking };

  request next;
  sleep asleep = sleep::awake;
  bool news = false;         ///< somebody has written what this iteration has looked at
  bool late = false;         ///< its deadline has passed
  std::uint64_t digest = 0;  ///< of the history since the last checkpoint
  boost::container::static_vector<std::uint64_t, 400> history;

  // The current iteration of the innermost wait loop.
  address loop = 0;               ///< the spinner; 0: not in a loop
  std::uint64_t loop_digest = 0;  ///< of the history before the loop
  bool opening = false;           ///< the next request is the first of an iteration
  bool wrote = false;
  std::uint16_t silent_step = 0;  ///< the step of a read-modify-write that left the value as it was
  std::uint16_t steps_in_iteration = 0;
  boost::container::static_vector<address, 12> looked_at;
  request first;                   ///< the iteration's first request,
  std::uint64_t first_digest = 0;  ///< and the history up to it
  std::uint16_t first_history = 0;

  struct association {
    address lock;
    bool leaving;
  };
  boost::container::static_vector<association, 8> locks;        ///< waited for, held or being released
  boost::container::static_vector<address, 4> doorsteps_taken;  ///< innermost last
};

struct doorstep {
  address where;
  std::uint8_t thread;
};

struct state {
  memory mem;
  boost::container::static_vector<thread_state, max_threads> threads;
  boost::container::static_vector<doorstep, 24> queue;  ///< who passed a doorstep and is not yet in
  std::uint16_t steps = 0;
  std::uint8_t spurious_left = 0;  ///< wake-ups and weak failures without reason that may still come
  std::uint8_t last_thread = 0xff;
  std::uint8_t preemptions = 0;

  [[nodiscard]] bool all_finished() const {
    for (const auto& each : threads)
      if (each.next.what != action::finished) return false;
    return true;
  }
};

/// 128 bits that two different states share with negligible probability.
struct state_key {
  std::uint64_t high;
  std::uint64_t low;
  bool operator==(const state_key&) const = default;
};
state_key key_of(const state& now, bool counts_preemptions);

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  hash *= 0xff51afd7ed558ccdU;
  return hash ^ (hash >> 32U);
}

}  // namespace hemlock::check
