// The simulated machine's memory. Whatever simulated programs share lives here (locks, thread records, queue
// nodes, and the stacks, since some locks wait on a word of the stack), so a cache line's identity is its
// number within the arena, in order of allocation, and never a host address. The arena itself lies at the same
// address in every run where the host allows it: hemlock-table hashes a lock's address.
//
// Queue nodes have a region of their own, because their spacing is part of the model: in the host's memory they
// are 128 bytes apart, as the library pads them, but a machine may number their lines as if they were 64 apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace hemlock::sim {

inline constexpr std::size_t line_bytes = 64;
inline constexpr std::size_t block_alignment = 2 * line_bytes;  ///< no two blocks share a pair of lines

class arena {
public:
  arena();
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// A block of its own, in whole pairs of lines, zeroed.
  void* allocate(std::size_t bytes) { return take(blocks_, bytes); }
  void deallocate(void* block, std::size_t bytes) { give(blocks_, block, bytes); }
  /// The same for a queue node of at most a line's content.
  void* allocate_node() { return take(nodes_, line_bytes); }
  void deallocate_node(void* node) { give(nodes_, node, line_bytes); }

  /// The stack of a simulated CPU; its content is not cleared by reset().
  [[nodiscard]] std::span<std::byte> stack(std::size_t cpu) const {
    return {base_ + stacks_begin + cpu * stack_bytes, stack_bytes};
  }

  [[nodiscard]] bool contains(const void* address) const {
    return address >= base_ && address < base_ + reserved;
  }
  [[nodiscard]] std::size_t offset(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - base_);
  }

  /// Everything is free and zero again.
  void reset();

  static constexpr std::size_t stack_bytes = std::size_t{64} << 10;
  static constexpr std::size_t max_stacks = 4096;
  static constexpr std::size_t region = std::size_t{1} << 29;
  static constexpr std::size_t nodes_begin = region;
  static constexpr std::size_t stacks_begin = 2 * region;
  /// Of address space; memory only as it is used.
  static constexpr std::size_t reserved = stacks_begin + max_stacks * stack_bytes;

private:
  struct pool {
    std::size_t begin;
    std::size_t used = 0;
    std::map<std::size_t, std::vector<void*>> free = {};
  };
  void* take(pool& from, std::size_t bytes);
  static void give(pool& to, void* block, std::size_t bytes);
  void clear(pool& which);

  std::byte* base_ = nullptr;
  pool blocks_{0};
  pool nodes_{nodes_begin};
};

}  // namespace hemlock::sim
