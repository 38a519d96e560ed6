#include "profile/record/stacks.hpp"

#include <sys/mman.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "profile/record/file.hpp"
#include "profile/record/modules.hpp"
#include "profile/record/table.hpp"

namespace hemlock::profile::record {
namespace {

/// The recorder's own frames come first.
constexpr std::size_t most_walked = most_frames + 8;

struct walk {
  std::size_t depth = 0;
  bool can_be_compared = true;
  bool inside = true;  ///< still in this_stack itself
  std::uintptr_t returns[most_walked];
  std::uintptr_t slots[most_walked];
};

_Unwind_Reason_Code one_frame(_Unwind_Context* context, void* argument) {
  auto& all = *static_cast<walk*>(argument);
  if (all.inside) {
    all.inside = false;
    return _URC_NO_REASON;
  }
  const std::uintptr_t address = ::_Unwind_GetIP(context);
  if (address == 0 || all.depth == most_walked) return _URC_END_OF_STACK;
  const std::uintptr_t slot = ::_Unwind_GetCFA(context) - sizeof(void*);
  // Not so below a signal handler: such stacks are walked every time.
  if (*reinterpret_cast<const std::uintptr_t*>(slot) != address) all.can_be_compared = false;
  all.returns[all.depth] = address;
  all.slots[all.depth++] = slot;
  return _URC_NO_REASON;
}

/// A remembered stack. `version` is odd while somebody writes; all fields are atomic, since readers do not wait.
struct remembered {
  std::atomic<std::uint32_t> version;
  std::atomic<place> stack;
  std::atomic<std::uintptr_t> from;
  std::atomic<std::uint32_t> depth;
  std::atomic<std::uintptr_t> returns[most_walked];
  std::atomic<std::uintptr_t> slots[most_walked];
};
constexpr std::size_t memory_size = 2048;

struct all_stacks {
  place_table<1 << 17> table;
  remembered* memory = nullptr;
};
constinit all_stacks stacks{};

remembered& slot_for(std::uintptr_t from, std::uintptr_t caller) noexcept {
  return stacks.memory[scrambled(from ^ caller << 7) % memory_size];
}

place recall(const remembered& one, std::uintptr_t from) noexcept {
  const std::uint32_t version = one.version.load(std::memory_order_acquire);
  if ((version & 1) != 0 || one.from.load(std::memory_order_relaxed) != from) return 0;
  const std::uint32_t depth = one.depth.load(std::memory_order_relaxed);
  const place found = one.stack.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < depth && i < most_walked; ++i) {
    // Acquire, with remember's releases: whoever reads a newer slot also reads a newer version, and does not look
    // into what may be another thread's stack.
    const std::uintptr_t slot = one.slots[i].load(std::memory_order_acquire);
    const std::uintptr_t expected = one.returns[i].load(std::memory_order_acquire);
    if (one.version.load(std::memory_order_relaxed) != version) return 0;
    if (*reinterpret_cast<const std::uintptr_t*>(slot) != expected) return 0;
  }
  return found;
}

void remember(remembered& one, std::uintptr_t from, const walk& all, place stack) noexcept {
  std::uint32_t version = one.version.load(std::memory_order_relaxed);
  if ((version & 1) != 0 ||
      !one.version.compare_exchange_strong(version, version + 1, std::memory_order_acquire))
    return;  // somebody else is just doing so
  // Release on each: a reader that sees one of these also sees the odd version.
  one.from.store(from, std::memory_order_release);
  one.stack.store(stack, std::memory_order_release);
  one.depth.store(static_cast<std::uint32_t>(all.depth), std::memory_order_release);
  for (std::size_t i = 0; i < all.depth; ++i) {
    one.returns[i].store(all.returns[i], std::memory_order_release);
    one.slots[i].store(all.slots[i], std::memory_order_release);
  }
  one.version.store(version + 2, std::memory_order_release);
}

place entered(const walk& all) noexcept {
  stack_record wanted{};
  std::size_t first = 0;
  while (first < all.depth && is_ours(all.returns[first])) ++first;
  wanted.depth = static_cast<std::uint32_t>(std::min(all.depth - first, most_frames));
  wanted.hash = check_seed;
  for (std::size_t i = 0; i < wanted.depth; ++i) {
    wanted.frames[i] = located(all.returns[first + i]);
    wanted.hash = scrambled(wanted.hash ^ wanted.frames[i]);
  }
  const auto is_it = [&](place other) noexcept {
    const auto& record = at<stack_record>(other);
    return record.hash == wanted.hash && record.depth == wanted.depth &&
           std::equal(wanted.frames, wanted.frames + wanted.depth, record.frames);
  };
  const auto make_it = [&]() noexcept {
    const place made = take<stack_record>();
    if (made != 0) {
      std::memcpy(&at<stack_record>(made), &wanted, sizeof wanted);
      publish(at<stack_record>(made));
    }
    return made;
  };
  const place found = stacks.table.find_or_make(wanted.hash, is_it, make_it);
  if (found == 0) add(header().lost.stacks, 1);
  return found;
}

}  // namespace

bool make_stacks() noexcept {
  if (!stacks.table.make()) return false;
  if (stacks.memory != nullptr) return true;
  void* const memory = ::mmap(nullptr, memory_size * sizeof(remembered), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  stacks.memory = static_cast<remembered*>(memory);
  return true;
}

place this_stack(bool patient) noexcept {
  const auto from = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const auto caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  remembered& memory = slot_for(from, caller);
  if (const place known = recall(memory, from)) return known;
  if (!patient) return 0;
  walk all;
  ::_Unwind_Backtrace(one_frame, &all);
  const place found = entered(all);
  if (found != 0 && all.can_be_compared && all.depth > 0) remember(memory, from, all, found);
  return found;
}

void forget_stacks() noexcept {
  stacks.table.forget();
  if (stacks.memory != nullptr) ::munmap(stacks.memory, memory_size * sizeof(remembered));
  stacks.memory = nullptr;
}

}  // namespace hemlock::profile::record
