// What happens to one mutex, as the recorder is told of it: before a wait, after it, after an acquisition, before a
// release, around a wait on a condition variable.
//
// An acquisition that did not wait, of a mutex that is known, costs some twenty instructions on two cache lines: the
// mutex's record, which the holder alone writes, and the thread's list of what it holds. No clock is read unless the
// hold is one of the sampled, no atomic read-modify-write is done, nothing is called. Everything else is in
// recorder.cpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "profile/format.hpp"
#include "profile/queue_word.hpp"
#include "profile/record/file.hpp"

namespace hemlock::profile::record {

/// A mutex: where it is, and a word in it that is the recorder's. The word is zero in a mutex that was just
/// initialised, and is not believed unless the record that it names has this mutex's address.
struct subject {
  std::uint64_t address;
  std::uint32_t* word;
  std::uint32_t kind;
};

struct held_lock {
  lock_record* lock;
  std::uint64_t since;  ///< 0: this hold is not timed
  std::uint64_t weight;
};

struct thread_state {
  static constexpr std::uint32_t most_listed = 24;

  place thread = 0;  ///< our thread_record; 0: not made yet
  std::uint32_t depth = 0;
  bool inside = false;  ///< in a slow path: what it locks, or a signal handler does, is not recorded
  std::uint64_t random = 0;
  std::uint64_t quiet_until = 0;
  held_lock held[most_listed + 1] = {};  ///< the last is for those that find no room
};
inline constinit thread_local thread_state self{};

// recorder.cpp. All of them cold.
lock_record* met(subject mutex) noexcept;
void acquired_unknown(subject mutex, bool blocking) noexcept;
void new_owner(lock_record& lock, thread_state& me) noexcept;
/// The hold is to be timed, or somebody waits already. Since when it is timed, and in `weight` what it stands for.
std::uint64_t begun(lock_record& lock, thread_state& me, std::uint64_t count, std::uint64_t& weight) noexcept;
void nested(lock_record& lock, thread_state& me, bool blocking) noexcept;
void release_out_of_order(subject mutex, thread_state& me) noexcept;
void ended(lock_record& lock, std::uint64_t since, std::uint64_t weight) noexcept;

[[gnu::always_inline]] inline lock_record* known(subject mutex) noexcept {
  const std::uint32_t where =
      std::atomic_ref(*mutex.word).load(std::memory_order_acquire);  // with met()'s release
  if (where >= mapped.limit.load(std::memory_order_acquire)) [[unlikely]]
    return nullptr;
  lock_record& lock = at<lock_record>(where);  // for 0 it is the header, which no mutex's address begins
  return lock.address == mutex.address ? &lock : nullptr;
}

/// We hold it now, and so alone write its record.
[[gnu::always_inline]] inline void note_acquired(lock_record& lock, thread_state& me) noexcept {
  const std::uint64_t count = ++lock.acquisitions;
  if (lock.owner != me.thread) [[unlikely]]
    new_owner(lock, me);
  const std::uint64_t queue = std::atomic_ref(lock.queue).load(std::memory_order_relaxed);
  const std::uint32_t depth = me.depth++;
  // Field by field, and nothing written that is there already: the stores before the next atomic are what costs.
  held_lock& hold = me.held[depth < thread_state::most_listed ? depth : thread_state::most_listed];
  hold.lock = &lock;
  hold.since = 0;
  if (count >= lock.next_sample || queue != lock.mark) [[unlikely]]
    hold.since = begun(lock, me, count, hold.weight);
}

/// After an acquisition that did not wait. `blocking`: it would have.
[[gnu::always_inline]] inline void acquired(subject mutex, bool blocking) noexcept {
  lock_record* const lock = known(mutex);
  if (lock == nullptr) [[unlikely]]
    return acquired_unknown(mutex, blocking);
  thread_state& me = self;
  if (me.depth != 0) [[unlikely]]
    nested(*lock, me, blocking);
  note_acquired(*lock, me);
}

/// The usual case of acquired(), without a call: the thread holds nothing else, had this lock last, nobody waits and
/// the hold is not timed. False: nothing was done, acquired() does it.
[[gnu::always_inline]] inline bool acquired_simply(subject mutex) noexcept {
  lock_record* const lock = known(mutex);
  if (lock == nullptr) [[unlikely]]
    return false;
  thread_state& me = self;
  const std::uint64_t count = lock->acquisitions + 1;
  const std::uint64_t queue = std::atomic_ref(lock->queue).load(std::memory_order_relaxed);
  if (me.depth != 0 || lock->owner != me.thread || queue != lock->mark || count >= lock->next_sample)
      [[unlikely]]
    return false;
  lock->acquisitions = count;
  me.held[0].lock = lock;
  me.held[0].since = 0;
  me.depth = 1;
  return true;
}

/// The usual case of releasing(), likewise.
[[gnu::always_inline]] inline bool releasing_simply(subject mutex) noexcept {
  thread_state& me = self;
  if (me.depth != 1) [[unlikely]]
    return false;
  const lock_record& lock = *me.held[0].lock;
  const std::uint64_t queue = std::atomic_ref(me.held[0].lock->queue).load(std::memory_order_relaxed);
  if (lock.address != mutex.address || me.held[0].since != 0 || queue != lock.mark) [[unlikely]]
    return false;
  me.depth = 0;
  return true;
}

/// Before a release, of a mutex that this thread may or may not hold.
[[gnu::always_inline]] inline void releasing(subject mutex) noexcept {
  thread_state& me = self;
  const std::uint32_t depth = me.depth;
  if (depth == 0) [[unlikely]]
    return;
  if (depth > thread_state::most_listed || me.held[depth - 1].lock->address != mutex.address) [[unlikely]]
    return release_out_of_order(mutex, me);
  me.depth = depth - 1;
  const held_lock& hold = me.held[depth - 1];
  lock_record& lock = *hold.lock;
  const std::uint64_t queue = std::atomic_ref(lock.queue).load(std::memory_order_relaxed);
  if ((hold.since | (queue ^ lock.mark)) != 0) [[unlikely]]
    ended(lock, hold.since, hold.weight);
}

/// From before a wait until after it.
class waiting {
public:
  explicit waiting(subject mutex) noexcept;
  /// We have it.
  void acquired() noexcept;
  /// The time limit came first.
  void gave_up() noexcept;

private:
  std::uint64_t leave() noexcept;
  lock_record* lock_;
  std::uint64_t since_ = 0;
  std::uint64_t address_;
  place stack_ = 0;
  place before_ = 0;          ///< the thread directly before us in the queue
  std::uint32_t listed_ = 0;  ///< where among those that it is followed for
};

void try_failed(subject mutex) noexcept;
/// A time-limited lock tries first: that is no failed try of the program's.
void try_failure_was_none(subject mutex) noexcept;

/// Around a wait on a condition variable, with the mutex held.
std::uint64_t condition_wait_begins() noexcept;
void condition_wait_ended(subject mutex, std::uint64_t since) noexcept;

/// What the file's header says of the run. Strings live as long as the process.
void describe(const char* lock, const char* wait) noexcept;
/// When the process ends.
void finish() noexcept;
/// In a child of fork: its first lock begins a file of its own.
void start_anew() noexcept;

}  // namespace hemlock::profile::record
