// Everything that decides how a checked program can go on, and that the explorer copies and compares.
//
// The threads themselves run on fibers, whose stacks are not part of this: what a thread will do next is
// decided by the results its operations have given it so far, so its history of results stands for its stack,
// and a fiber is brought to any state by running it from its start on recorded results.
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "check/memory.hpp"
#include "check/request.hpp"
#include "check/symmetry.hpp"

namespace hemlock::check {

struct thread_state {
  enum class sleep : std::uint8_t { awake, parked, waiting, relocking };

  request next;
  sleep asleep = sleep::awake;
  bool news = false;     ///< somebody has written what this iteration has looked at
  bool late = false;     ///< its deadline has passed
  fingerprint digest{};  ///< of the history since the last checkpoint
  fingerprint entry{};   ///< as the digest was when it began to lock or unlock
  boost::container::static_vector<std::uint64_t, 400> history;

  // The current iteration of the innermost wait loop.
  address loop = 0;           ///< the spinner; 0: not in a loop
  fingerprint loop_digest{};  ///< of the history before the loop
  bool opening = false;       ///< the next request is the first of an iteration
  bool wrote = false;
  std::uint16_t silent_step = 0;  ///< the step of a read-modify-write that left the value as it was
  std::uint16_t steps_in_iteration = 0;
  boost::container::static_vector<address, 12> looked_at;
  request first;               ///< the iteration's first request,
  fingerprint first_digest{};  ///< and the history up to it
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
/// The same for states that one of the symmetries turns into each other.
state_key key_of(const state& now, const symmetries& alike, bool counts_preemptions);

}  // namespace hemlock::check
