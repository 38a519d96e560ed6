// A profile with names: what the reports are made from.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/reader.hpp"
#include "profile/symbols.hpp"

namespace hemlock::profile {

enum class order_by { wait, hold, contention };
enum class grouping { lock, site };

using histogram = std::array<std::uint64_t, bucket_count>;

/// One stack's part in one lock.
struct stack_part {
  place stack = 0;
  std::uint64_t count = 0;
  std::uint64_t time = 0;
  std::uint64_t longest = 0;
};

/// A lock, or all locks of one site.
struct lock_view {
  std::vector<place> records;
  std::string name;
  std::string site;  ///< where it was first taken: "function (file:line)"
  std::uint64_t address = 0;
  std::uint64_t mutexes = 0;  ///< for which it stands
  std::uint64_t acquisitions = 0;
  std::uint64_t contended = 0;
  std::uint64_t wait = 0;
  std::uint64_t longest_wait = 0;
  std::uint64_t hold = 0;  ///< an estimate from the timed holds, for all acquisitions
  double mean_hold = 0;
  std::uint64_t longest_hold = 0;
  std::uint64_t blamed = 0;
  std::uint64_t owner_changes = 0;
  std::uint64_t longest_queue = 0;
  std::uint64_t try_failures = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t condition_waits = 0;
  std::uint64_t condition_time = 0;
  histogram waits{};
  histogram holds{};  ///< weighted: as if all had been timed
  std::vector<stack_part> waiters;
  std::vector<stack_part> blamed_at;
  std::vector<stack_part> holders;

  double mean_wait() const {
    return contended == 0 ? 0 : static_cast<double>(wait) / static_cast<double>(contended);
  }
};

struct edge_view {
  std::size_t from;
  std::size_t to;
  std::uint64_t count;
  place stack;
  place thread;
  bool several_threads;
  place guard;
};

/// Locks asked for in a circle. With all of it done by one thread, or always under the same third lock, it cannot
/// deadlock as long as that stays so.
struct cycle_view {
  std::vector<std::size_t> edges;
  bool one_thread = false;
  bool guarded = false;
};

struct profile {
  file_header header{};
  std::string command;
  double seconds = 0;
  bool closed = false;
  std::vector<lock_view> locks;  ///< in the order asked for
  std::vector<edge_view> edges;
  std::vector<cycle_view> cycles;
  std::map<place, std::vector<code_frame>> stacks;
  std::map<place, thread_record> threads;
  std::vector<std::string> warnings;
  std::vector<std::string> other_processes;  ///< files of the same run

  std::uint64_t total_wait = 0;
  std::uint64_t total_acquisitions = 0;
  std::uint64_t total_contended = 0;
  std::uint64_t nested_calls = 0;
  std::uint64_t last_nested = 0;
  std::uint32_t most_held = 0;
  std::uint32_t most_followers = 0;
};

profile analyse(const contents& file, grouping by_what, order_by order);
/// Reads, analyses, and looks for files of the same run beside it.
profile load(const std::string& path, grouping by_what, order_by order);

/// What a lock is ranked by.
std::uint64_t weight_of(const lock_view& lock, order_by order);

/// The first frame that is the program's, not a wrapper around pthread_mutex_lock; null if there are none.
const code_frame* telling_frame(const std::vector<code_frame>& stack);
/// Likewise, but one that has a name if any has: not "library+0x1234".
const code_frame* named_frame(const std::vector<code_frame>& stack);
/// "function (file:line)".
std::string frame_text(const code_frame& frame);

}  // namespace hemlock::profile
