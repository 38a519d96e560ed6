// What happens next: events ordered by (time, order), where order tells simultaneous ones apart.
//
// Order is (class, actor, sequence): what a line does comes before what a store buffer does, and that before
// what a program does; then by the line's or CPU's number. The sequence only separates events of one actor. So
// which of two simultaneous events comes first does not depend on how many other events were ever queued, and
// a CPU that sleeps through its polls and one that makes them all see the same history.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/time.hpp"

namespace hemlock::sim {

enum class event_class : std::uint8_t { line, buffer, program };

inline constexpr std::uint64_t order_of(event_class kind, std::uint32_t actor) {
  return (static_cast<std::uint64_t>(kind) << 62) | (static_cast<std::uint64_t>(actor) << 32);
}

struct event {
  picoseconds time;
  std::uint64_t order;  ///< class, actor, sequence
  enum class action : std::uint8_t { resume, pump, complete, serve } what;
  void* subject;

  friend bool operator<(const event& a, const event& b) {
    return a.time != b.time ? a.time < b.time : a.order < b.order;
  }
};

class event_queue {
public:
  void push(picoseconds time, event_class kind, std::uint32_t actor, event::action what, void* subject) {
    heap_.push_back({time, order_of(kind, actor) | sequence_++, what, subject});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  event pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const event next = heap_.back();
    heap_.pop_back();
    return next;
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] const event& next() const { return heap_.front(); }

private:
  static bool later(const event& a, const event& b) { return b < a; }

  std::vector<event> heap_;
  std::uint32_t sequence_ = 0;
};

}  // namespace hemlock::sim
