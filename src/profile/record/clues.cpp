#include "profile/record/clues.hpp"

#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

#include "profile/record/file.hpp"
#include "profile/record/modules.hpp"

namespace hemlock::profile::record {
namespace {

constexpr std::uint16_t most_looked_at = 8;  ///< frames: who locks a member is seldom far from its object
constexpr std::uintptr_t farthest = 16384;   ///< of a mutex from its object's beginning
constexpr std::uintptr_t most_slots = 96;    ///< of a frame, from its outer end, where variables are
constexpr std::uint32_t most_per_frame = 7;

/// Those that a called function keeps, by their DWARF numbers: rbx, rbp, r12 to r15. The others are gone.
constexpr int kept_registers[] = {3, 6, 12, 13, 14, 15};

constinit std::atomic<bool> no_room{false};

struct search {
  std::uintptr_t address;
  clue_record found{};
  bool begun = false;  ///< past the recorder's own frames
  std::uint16_t frame = 0;
  std::uint32_t in_frame = 0;
  std::uintptr_t inner_end = 0;  ///< the stack pointer of the frame being looked at

  bool is_full() const noexcept { return found.count == most_clues; }

  void look_at(std::uintptr_t value, std::ptrdiff_t where) noexcept {
    const std::uintptr_t past = address - value;
    if (past >= farthest || value == 0 || in_frame == most_per_frame || is_full()) return;
    found.clues[found.count++] = {frame, static_cast<std::int16_t>(where), static_cast<std::uint32_t>(past)};
    ++in_frame;
  }

  /// A frame's own words, once its end is known: the next frame's stack pointer.
  void look_at_slots(std::uintptr_t end) noexcept {
    const std::uintptr_t begin = std::max(inner_end, end - most_slots * sizeof(void*));
    if (end <= inner_end) return;  // a signal's stack
    for (std::uintptr_t slot = end - sizeof(void*); slot >= begin; slot -= sizeof(void*))
      look_at(*reinterpret_cast<const std::uintptr_t*>(slot), -static_cast<std::ptrdiff_t>(end - slot));
  }
};

_Unwind_Reason_Code one_frame(_Unwind_Context* context, void* argument) {
  auto& all = *static_cast<search*>(argument);
  const std::uintptr_t stack_pointer = ::_Unwind_GetCFA(context);
  if (all.begun) {
    all.look_at_slots(stack_pointer);
    ++all.frame;
  } else if (is_ours(::_Unwind_GetIP(context))) {
    return _URC_NO_REASON;
  }
  all.begun = true;
  if (::_Unwind_GetIP(context) == 0 || all.frame == most_looked_at || all.is_full()) return _URC_END_OF_STACK;
  all.inner_end = stack_pointer;
  all.in_frame = 0;
  for (const int number : kept_registers) all.look_at(::_Unwind_GetGR(context, number), number);
  return _URC_NO_REASON;
}

}  // namespace

place take_clues(place lock, std::uintptr_t address) noexcept {
  if (no_room.load(std::memory_order_relaxed)) return 0;  // else a stack would be walked for nothing
  search all{address};
  ::_Unwind_Backtrace(one_frame, &all);
  if (all.found.count == 0) return 0;
  const place made = take<clue_record>();
  if (made == 0) {
    no_room.store(true, std::memory_order_relaxed);
    return 0;
  }
  all.found.lock = lock;
  std::memcpy(&at<clue_record>(made), &all.found, sizeof all.found);
  publish(at<clue_record>(made));
  return made;
}

void forget_clues() noexcept {
  no_room.store(false, std::memory_order_relaxed);
}

}  // namespace hemlock::profile::record
