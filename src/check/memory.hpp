// The memory of a checked program: the C++20 memory model as a machine.
//
// Every atomic word has its modification order: a list of messages, each a value with the view that reading it
// brings to an acquiring thread. A thread may read any message that its view does not hide, and may put a
// store anywhere above its view, except between a read-modify-write and the message that it read. Views travel
// along release/acquire pairs, release sequences (chains of read-modify-writes only, as C++20 has it) and
// fences. A read must find its message already there, so load buffering does not exist here (as in RC11).
//
// Non-atomic memory is a set of cells (allocated blocks, plain variables). Two accesses of which one writes,
// and neither happens before the other, are a data race; creating and freeing a block are such writes. Since
// this is asked of happens-before, not of time, a race is found in whatever order the accesses are run.
//
// seq_cst: see sequential.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "check/request.hpp"
#include "check/view.hpp"

namespace hemlock::check {

constexpr bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst || order == std::memory_order_consume;
}
constexpr bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

struct message {
  std::uint64_t value = 0;
  view released;
  bool rmw = false;  ///< made by a read-modify-write: nothing comes between it and the message before it
  std::int16_t event = -1;  ///< seq_cst programs: the event that wrote it
  std::uint16_t step = 0;   ///< for people: the step that wrote it; 0 is the initial value
};

/// An atomic word.
struct atom {
  address where = 0;
  std::uint16_t first = 0;  ///< its messages are [first, first + count) of memory::messages
  std::uint16_t count = 0;
  std::uint8_t sleep_floor =
      0;  ///< what the last unpark on this word had seen: a sleeper looks no further back
};

/// A block (has a size) or a plain variable in one (has a value).
struct cell {
  address where = 0;
  std::uint32_t bytes = 0;  ///< 0: a plain variable
  std::uint64_t value = 0;
  std::uint8_t touched = 0;  ///< the threads that have accessed it since its last non-atomic write
  bool watched = true;       ///< blocks: somebody may free it while others run
};

/// A modelled mutex with a condition variable.
struct monitor_state {
  address where = 0;
  std::int8_t owner = -1;
  view released;
};

/// For seq_cst programs: what happened, as RC11 sees it.
struct event {
  enum kind_type : std::uint8_t { read, write, update, fence } kind;
  std::uint8_t thread;
  std::memory_order order;
  address where = 0;                      ///< none for a fence
  std::int16_t source = -1;               ///< reads: the event read from; -1 is the initial value
  std::array<std::uint64_t, 2> before{};  ///< the events that happen before this one
};
inline constexpr std::size_t max_events = 128;

struct thread_memory {
  view now;      ///< all that happens before its next step
  view pending;  ///< what an acquire fence would bring
  view fenced;   ///< what the last release fence published
  view saved;    ///< `now` at the start of the iteration of a wait loop
  view saved_pending;
  std::uint16_t saved_events = 0;  ///< how many there were then
  bool has_saved = false;
  bool live = true;
};

/// As std::erase_if, for the lists used here.
template <class List, class Condition>
void drop_if(List& list, Condition condition) {
  list.erase(std::remove_if(list.begin(), list.end(), condition), list.end());
}

/// What went wrong in an access, in words; nothing if all is well.
using fault = std::optional<std::string>;

class memory {
public:
  boost::container::static_vector<thread_memory, max_threads> threads;
  boost::container::static_vector<atom, max_atoms> atoms;
  boost::container::static_vector<cell, max_cells> cells;
  boost::container::static_vector<message, max_messages> messages;
  boost::container::static_vector<monitor_state, 8> monitors;
  boost::container::static_vector<event, max_events> events;
  bool keeps_events = false;  ///< the program uses seq_cst
  bool uses_fences = false;

  static constexpr std::size_t none = ~std::size_t{0};

  // Blocks and plain variables.
  void create(std::size_t thread, address where, std::size_t bytes, bool watched);
  void create_before_all(address where, std::size_t bytes, bool watched);
  [[nodiscard]] fault free(std::size_t thread, address where);
  [[nodiscard]] fault plain_read(std::size_t thread, address where, std::uint64_t initial,
                                 std::uint64_t& value);
  [[nodiscard]] fault plain_write(std::size_t thread, address where, std::uint64_t value);
  [[nodiscard]] std::uint64_t plain_value(address where, std::uint64_t initial) const;
  [[nodiscard]] std::size_t block_of(address where) const;

  // Atomic words.
  /// Any access begins here: the word exists, its creation happens before, and it is marked as accessed.
  [[nodiscard]] fault touch(std::size_t thread, address where);
  /// The word's index; it gets one at its first access.
  std::size_t atom_at(address where, std::uint64_t initial);
  [[nodiscard]] std::size_t find_atom(address where) const;
  [[nodiscard]] const message& at(std::size_t word, std::size_t index) const {
    return messages[atoms[word].first + index];
  }
  [[nodiscard]] std::size_t oldest_readable(std::size_t thread, std::size_t word) const {
    return threads[thread].now.at[word];
  }
  [[nodiscard]] bool can_update(std::size_t word, std::size_t index) const {
    return index + 1U >= atoms[word].count || !at(word, index + 1).rmw;
  }
  [[nodiscard]] bool can_insert(std::size_t word, std::size_t index) const {
    return index >= atoms[word].count || !at(word, index).rmw;
  }
  void read(std::size_t thread, std::size_t word, std::size_t index, std::memory_order order);
  void write(std::size_t thread, std::size_t word, std::size_t index, std::uint64_t value,
             std::memory_order order, std::uint16_t step);
  /// Reads the message at `index` and puts its own right after it.
  void update(std::size_t thread, std::size_t word, std::size_t index, std::uint64_t value,
              std::memory_order order, std::uint16_t step);
  void fence(std::size_t thread, std::memory_order order);

  monitor_state& monitor_at(address where);

  void save(std::size_t thread);
  void restore(std::size_t thread);
  void forget_saved(std::size_t thread) { threads[thread].has_saved = false; }

  /// Drops what no thread can ever see again, so that states that differ only in that become equal.
  void collect();

private:
  template <class Action>
  void for_each_view(Action action) {
    for (auto& thread : threads) {
      action(thread.now);
      action(thread.pending);
      action(thread.fenced);
      if (thread.has_saved) {
        action(thread.saved);
        action(thread.saved_pending);
      }
    }
    for (auto& entry : messages) action(entry.released);
    for (auto& entry : monitors) action(entry.released);
  }
  std::size_t insert_cell(const cell& made);
  void erase_cell(std::size_t index);
  void erase_atom(std::size_t index);
  std::size_t plain_at(address where, std::uint64_t initial);
  void mark(std::size_t thread, std::size_t index);
  void mark_write(std::size_t thread, std::size_t index);
  void insert_message(std::size_t word, std::size_t index, const message& made);
  void erase_events(std::size_t thread, std::size_t from);
  std::int16_t log(std::size_t thread, event::kind_type kind, std::memory_order order, address where,
                   std::int16_t source);
};

}  // namespace hemlock::check
