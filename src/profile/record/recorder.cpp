#include "profile/record/recorder.hpp"

#include <sys/prctl.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "profile/record/begin.hpp"
#include "profile/record/clues.hpp"
#include "profile/record/modules.hpp"
#include "profile/record/stacks.hpp"
#include "profile/record/table.hpp"

namespace hemlock::profile::record {
namespace {

/// So many first holds of each lock are all timed, so that a lock that is rarely taken is not unknown.
constexpr std::uint64_t always_timed = 64;
/// A stack that must be walked costs microseconds in the critical section: for a hold that nobody waits for, not
/// more often per thread than this.
constexpr std::uint64_t walk_pause = 2'000'000;

/// In a mutex's word: it found no room. No record has this place.
constexpr place no_room = ~place{0};

struct indexes {
  place_table<1 << 19> locks;
  place_table<1 << 19> shares;
  place_table<1 << 17> edges;
};
constinit indexes index{};

/// For threads that found no room in the file.
constinit thread_record nowhere{};

thread_record& record_of(const thread_state& me) noexcept {
  return me.thread <= 1 ? nowhere : at<thread_record>(me.thread);
}
thread_record& thread_at(place thread) noexcept {
  return thread <= 1 ? nowhere : at<thread_record>(thread);
}

/// While it lives, this thread's own locking is not recorded.
class inside {
public:
  explicit inside(thread_state& me) noexcept : me_(me), errno_(errno) { me_.inside = true; }
  ~inside() {
    me_.inside = false;
    errno = errno_;
  }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;

private:
  thread_state& me_;
  int errno_;
};

void join(thread_state& me) noexcept {
  if (me.thread != 0) return;
  const place where = take<thread_record>();
  if (where == 0) {
    add(header().lost.threads, 1);
    me.thread = 1;  // no record's place: the header's
    return;
  }
  auto& record = at<thread_record>(where);
  record.id = static_cast<std::uint32_t>(::syscall(SYS_gettid));
  ::prctl(PR_GET_NAME, record.name);
  publish(record);
  me.thread = where;
  me.random = scrambled(record.id + now());
}

std::uint64_t dice(thread_state& me) noexcept {
  me.random ^= me.random << 13;
  me.random ^= me.random >> 7;
  me.random ^= me.random << 17;
  return me.random;
}

place take_histogram(const lock_record& lock) noexcept {
  const place where = take<histogram_record>();
  if (where == 0) {
    add(header().lost.histograms, 1);
    return 1;
  }
  auto& record = at<histogram_record>(where);
  record.lock = place_of(lock);
  publish(record);
  return where;
}

/// With the lock held.
void count(place& histogram, lock_record& lock, std::uint64_t value, std::uint64_t weight) noexcept {
  if (histogram == 0) histogram = take_histogram(lock);
  if (histogram > 1) add_alone(at<histogram_record>(histogram).counts[bucket_of(value)], weight);
}

void share(const lock_record& lock, place stack, share_role role, std::uint64_t amount, std::uint64_t time,
           std::uint64_t longest) noexcept {
  if (stack == 0) return;
  share_record wanted{};
  wanted.lock = place_of(lock);
  wanted.stack = stack;
  wanted.role = role;
  const place where = index.shares.find_or_make(
      scrambled((std::uint64_t{wanted.lock} << 32 | stack) * 4 + static_cast<std::uint64_t>(role)),
      [&](place other) noexcept {
        const auto& record = at<share_record>(other);
        return record.lock == wanted.lock && record.stack == stack && record.role == role;
      },
      [&]() noexcept {
        const place made = take<share_record>();
        if (made != 0) {
          std::memcpy(&at<share_record>(made), &wanted, sizeof wanted);
          publish(at<share_record>(made));
        }
        return made;
      });
  if (where == 0) return add(header().lost.shares, 1);
  auto& record = at<share_record>(where);
  add(record.count, amount);
  add(record.time, time);
  raise_to(record.longest, longest);
}

void edge(const lock_record& from, const lock_record& to, const thread_state& me, place guard) noexcept {
  edge_record wanted{};
  wanted.from = place_of(from);
  wanted.to = place_of(to);
  const place where = index.edges.find_or_make(
      scrambled(std::uint64_t{wanted.from} << 32 | wanted.to),
      [&](place other) noexcept {
        const auto& record = at<edge_record>(other);
        return record.from == wanted.from && record.to == wanted.to;
      },
      [&]() noexcept {
        const place made = take<edge_record>();
        if (made != 0) {
          wanted.stack = this_stack();
          wanted.thread = me.thread;
          wanted.guard = guard;
          std::memcpy(&at<edge_record>(made), &wanted, sizeof wanted);
          publish(at<edge_record>(made));
        }
        return made;
      });
  if (where == 0) return add(header().lost.edges, 1);
  auto& record = at<edge_record>(where);
  add(record.count, 1);
  if (record.thread != me.thread &&
      std::atomic_ref(record.several_threads).load(std::memory_order_relaxed) == 0)
    std::atomic_ref(record.several_threads).store(1, std::memory_order_relaxed);
  if (record.guard != guard) std::atomic_ref(record.guard).store(0, std::memory_order_relaxed);
}

std::uint64_t change_queue(lock_record& lock, std::uint64_t (*change)(std::uint64_t, std::uint64_t) noexcept,
                           std::uint64_t instant) noexcept {
  std::atomic_ref word(lock.queue);
  std::uint64_t seen = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(seen, change(seen, instant), std::memory_order_relaxed)) {
  }
  return seen;
}

constexpr std::uint32_t not_listed = most_followed;

/// Somebody waits for the lock directly behind that thread. With Hemlock it would look at the thread's Grant, from now
/// until the thread has released this lock; how many do so at once is what is counted.
std::uint32_t follow(thread_record& before, place lock) noexcept {
  raise_to(before.most_followers,
           std::atomic_ref(before.followers).fetch_add(1, std::memory_order_relaxed) + 1);
  for (std::uint32_t i = 0; i < most_followed; ++i) {
    place none = 0;
    if (std::atomic_ref(before.followed[i]).compare_exchange_strong(none, lock, std::memory_order_relaxed))
      return i;
  }
  return not_listed;
}

/// Once for each follow(): by the thread before when it releases the lock, or by the one behind when it has it.
void part(thread_record& before, place lock, std::uint32_t listed) noexcept {
  if (listed == not_listed ||
      std::atomic_ref(before.followed[listed]).compare_exchange_strong(lock, 0, std::memory_order_relaxed))
    std::atomic_ref(before.followers).fetch_sub(1, std::memory_order_relaxed);
}

/// Of those who are noted behind this thread, for locks of which `gone` is true. Whoever came at the very moment of a
/// release is noted behind a thread that no longer has the lock, and is found here later.
template <class Gone>
void part_from_followers(thread_record& me, Gone gone) noexcept {
  if (std::atomic_ref(me.followers).load(std::memory_order_relaxed) == 0) return;
  for (std::uint32_t i = 0; i < most_followed; ++i) {
    const place one = std::atomic_ref(me.followed[i]).load(std::memory_order_relaxed);
    if (one != 0 && gone(one)) part(me, one, i);
  }
}

}  // namespace

lock_record* met(subject mutex) noexcept {
  if (lock_record* lock = known(mutex)) return lock;
  if (!begin([]() noexcept {
        return index.locks.make() && index.shares.make() && index.edges.make() && make_stacks();
      }))
    return nullptr;
  join(self);
  const place site = this_stack();
  // A new mutex where an old one was, first taken at the same site, goes on in the old one's record: a program may
  // make millions, one after another.
  const place found = index.locks.find_or_make(
      scrambled(mutex.address ^ std::uint64_t{site} << 40),
      [&](place other) noexcept {
        const auto& record = at<lock_record>(other);
        return record.address == mutex.address && record.site == site;
      },
      [&]() noexcept {
        const place made = take<lock_record>();
        if (made == 0) return made;
        auto& record = at<lock_record>(made);
        record.address = mutex.address;
        record.origin = located(mutex.address);
        record.site = site;
        record.next_sample = 1;
        record.kind = mutex.kind;
        if (module_of(record.origin) == 0) record.clue = take_clues(made, mutex.address);
        publish(record);
        return made;
      });
  if (found == 0) {
    add(header().lost.acquisitions, 1);
    std::uint32_t fresh = 0;
    // So that each such mutex is counted once, its word names a place that no record has.
    if (std::atomic_ref(*mutex.word).compare_exchange_strong(fresh, no_room, std::memory_order_relaxed))
      add(header().lost.locks, 1);
    return nullptr;
  }
  // Several threads may meet a mutex at once, the holder and one that waits: the first decides.
  std::uint32_t seen = std::atomic_ref(*mutex.word).load(std::memory_order_acquire);
  while (true) {
    if (lock_record* decided = known(mutex)) return decided;
    if (std::atomic_ref(*mutex.word).compare_exchange_strong(seen, found, std::memory_order_acq_rel)) break;
  }
  std::atomic_ref(at<lock_record>(found).lives).fetch_add(1, std::memory_order_relaxed);
  return &at<lock_record>(found);
}

void acquired_unknown(subject mutex, bool blocking) noexcept {
  thread_state& me = self;
  if (me.inside || !may_begin()) return;
  if (std::atomic_ref(*mutex.word).load(std::memory_order_relaxed) == no_room &&
      mapped.limit.load(std::memory_order_acquire) != 0)
    return add(header().lost.acquisitions, 1);
  lock_record* lock;
  {
    const inside here(me);
    lock = met(mutex);
  }
  if (lock == nullptr) return;
  if (me.depth != 0) nested(*lock, me, blocking);
  note_acquired(*lock, me);
}

void new_owner(lock_record& lock, thread_state& me) noexcept {
  if (me.thread == 0) {
    if (me.inside) return;
    const inside here(me);
    join(me);
  }
  if (me.depth == 0)
    part_from_followers(record_of(me), [&](place one) noexcept { return one != place_of(lock); });
  if (lock.owner == me.thread) return;
  if (lock.owner != 0) ++lock.owner_changes;
  lock.owner = me.thread;
}

std::uint64_t begun(lock_record& lock, thread_state& me, std::uint64_t count,
                    std::uint64_t& weight) noexcept {
  const std::uint64_t queue = std::atomic_ref(lock.queue).load(std::memory_order_relaxed);
  const bool timed = count >= lock.next_sample;
  const std::uint64_t instant = timed || queue_word::waiters(queue) != 0 ? now() : 0;
  lock.mark = queue_word::waited(queue, instant);
  if (!timed) return 0;
  weight = lock.sample_gap == 0 ? 1 : lock.sample_gap;
  // A gap of random length, so that a program's own rhythm does not decide which holds are timed.
  const std::uint64_t mean = header().sample;
  lock.sample_gap =
      mean <= 1 || count < always_timed ? 1 : static_cast<std::uint32_t>(1 + dice(me) % (2 * mean - 1));
  lock.next_sample = count + lock.sample_gap;
  return instant;
}

void nested(lock_record& lock, thread_state& me, bool blocking) noexcept {
  if (me.inside) return;
  thread_record& thread = record_of(me);
  add(thread.nested_calls, 1);
  raise_to(thread.most_held, me.depth + 1);
  std::atomic_ref(thread.last_nested)
      .store(std::atomic_ref(header().end).load(std::memory_order_relaxed), std::memory_order_relaxed);
  if (!blocking) return;  // who only tries does not wait in a circle
  const inside here(me);
  for (std::uint32_t i = 0; i < std::min(me.depth, thread_state::most_listed); ++i) {
    if (me.held[i].lock == &lock) {
      // We cannot hold what we are about to get: another thread released it for us.
      std::copy(me.held + i + 1, me.held + std::min(me.depth, thread_state::most_listed), me.held + i);
      --me.depth;
      --i;
      continue;
    }
    const place guard = i > 0 ? place_of(*me.held[0].lock) : 0;
    edge(*me.held[i].lock, lock, me, guard);
  }
}

void release_out_of_order(subject mutex, thread_state& me) noexcept {
  const std::uint32_t listed = std::min(me.depth, thread_state::most_listed);
  for (std::uint32_t i = listed; i-- > 0;) {
    if (me.held[i].lock->address != mutex.address) continue;
    const held_lock hold = me.held[i];
    std::copy(me.held + i + 1, me.held + listed, me.held + i);
    --me.depth;
    const std::uint64_t queue = std::atomic_ref(hold.lock->queue).load(std::memory_order_relaxed);
    if ((hold.since | (queue ^ hold.lock->mark)) != 0) ended(*hold.lock, hold.since, hold.weight);
    return;
  }
  if (me.depth > thread_state::most_listed && known(mutex) != nullptr) --me.depth;  // one of those not listed
}

void ended(lock_record& lock, std::uint64_t since, std::uint64_t weight) noexcept {
  thread_state& me = self;
  if (me.inside) return;
  const inside here(me);
  const std::uint64_t instant = now();
  const std::uint64_t queue = std::atomic_ref(lock.queue).load(std::memory_order_relaxed);
  std::atomic_ref(header().end).store(instant, std::memory_order_relaxed);
  const std::uint64_t blame = (queue_word::waited(queue, instant) - lock.mark) & queue_word::mask;
  const bool awaited = queue_word::waiters(queue) != 0 || blame != 0;
  place stack = this_stack(awaited);
  if (stack == 0 && !awaited && instant >= me.quiet_until) {
    stack = this_stack();
    me.quiet_until = instant + walk_pause;
  }
  if (since != 0) {
    const std::uint64_t time = instant - since;
    lock.hold += time * weight;
    lock.hold_weight += weight;
    lock.longest_hold = std::max(lock.longest_hold, time);
    count(lock.hold_histogram, lock, time, weight);
    share(lock, stack, share_role::holder, weight, time * weight, time);
  }
  if (awaited) {
    part_from_followers(record_of(me),
                        [&](place one) noexcept { return me.depth == 0 || one == place_of(lock); });
    lock.blamed += blame;
    share(lock, stack, share_role::blamed, 1, blame, blame);
    DTRACE_PROBE3(hemlock, blame, lock.address, blame, queue_word::waiters(queue));
  }
}

waiting::waiting(subject mutex) noexcept : lock_(nullptr), address_(mutex.address) {
  thread_state& me = self;
  if (me.inside || !may_begin()) return;
  {
    const inside here(me);
    lock_ = met(mutex);
    if (lock_ == nullptr) return;
    join(me);
  }
  // Before the wait, since from a deadlock nobody returns.
  if (me.depth != 0) nested(*lock_, me, true);
  const inside here(me);
  if (me.depth == 0) part_from_followers(record_of(me), [](place) noexcept { return true; });
  stack_ = this_stack();
  since_ = now();
  std::atomic_ref(header().end).store(since_, std::memory_order_relaxed);
  const std::uint64_t queue = change_queue(*lock_, queue_word::come, since_);
  raise_to(lock_->longest_queue, queue_word::waiters(queue) + 1);
  const place last = std::atomic_ref(lock_->last_waiter).exchange(me.thread, std::memory_order_relaxed);
  before_ =
      queue_word::waiters(queue) == 0 ? std::atomic_ref(lock_->owner).load(std::memory_order_relaxed) : last;
  listed_ = follow(thread_at(before_), place_of(*lock_));
  DTRACE_PROBE2(hemlock, wait__begin, address_, queue_word::waiters(queue) + 1);
}

std::uint64_t waiting::leave() noexcept {
  const std::uint64_t instant = now();
  std::atomic_ref(header().end).store(instant, std::memory_order_relaxed);
  change_queue(*lock_, queue_word::go, instant);
  part(thread_at(before_), place_of(*lock_), listed_);
  return instant - since_;
}

void waiting::acquired() noexcept {
  if (lock_ == nullptr) return;
  thread_state& me = self;
  {
    const inside here(me);
    const std::uint64_t time = leave();
    ++lock_->contended;
    lock_->wait += time;
    lock_->longest_wait = std::max(lock_->longest_wait, time);
    count(lock_->wait_histogram, *lock_, time, 1);
    share(*lock_, stack_, share_role::waiter, 1, time, time);
    DTRACE_PROBE2(hemlock, wait__end, address_, time);
  }
  note_acquired(*lock_, me);
}

void waiting::gave_up() noexcept {
  if (lock_ == nullptr) return;
  const inside here(self);
  const std::uint64_t time = leave();
  add(lock_->timeouts, 1);
  share(*lock_, stack_, share_role::waiter, 1, time, time);
  DTRACE_PROBE2(hemlock, wait__timeout, address_, time);
}

void try_failed(subject mutex) noexcept {
  if (self.inside) return;
  if (lock_record* lock = known(mutex)) add(lock->try_failures, 1);
}

void try_failure_was_none(subject mutex) noexcept {
  if (self.inside) return;
  if (lock_record* lock = known(mutex)) add(lock->try_failures, ~std::uint64_t{0});
}

std::uint64_t condition_wait_begins() noexcept {
  return mapped.limit.load(std::memory_order_relaxed) == 0 ? 0 : now();
}

void condition_wait_ended(subject mutex, std::uint64_t since) noexcept {
  lock_record* const lock = known(mutex);
  if (lock == nullptr || since == 0) return;
  const std::uint64_t time = now() - since;
  ++lock->condition_waits;
  lock->condition_time += time;
  DTRACE_PROBE2(hemlock, condition__wait, mutex.address, time);
}

void finish() noexcept {
  thread_state& me = self;
  if (mapped.limit.load(std::memory_order_acquire) == 0) return;
  const inside here(me);
  std::atomic_ref(header().end).store(now(), std::memory_order_relaxed);
  close_file();
}

void start_anew() noexcept {
  self = thread_state{};
  forget_file();
  forget_modules();
  forget_stacks();
  forget_clues();
  index.locks.forget();
  index.shares.forget();
  index.edges.forget();
  begin_anew();
}

}  // namespace hemlock::profile::record
