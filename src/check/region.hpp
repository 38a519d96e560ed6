// The memory in which a checked program lives: the shared object, an arena and a stack for each thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "check/view.hpp"

namespace hemlock::check {

/// One per process, at the same address in every run where the system allows it: a lock that hashes
/// addresses then does the same each time.
class region {
public:
  static constexpr std::size_t arena_bytes = std::size_t{1} << 16U;
  static constexpr std::size_t stack_bytes = std::size_t{1} << 18U;

  static region& get();

  [[nodiscard]] char* arena(std::size_t thread) const { return base_ + (thread + 1) * arena_bytes; }
  [[nodiscard]] char* shared() const { return base_; }
  [[nodiscard]] char* stack(std::size_t thread) const {
    return base_ + (max_threads + 1) * arena_bytes + thread * stack_bytes;
  }
  [[nodiscard]] bool in_shared(std::uintptr_t where) const { return where - address_of(base_) < arena_bytes; }
  /// The thread on whose stack this is, or max_threads.
  [[nodiscard]] std::size_t stack_owner(std::uintptr_t where) const;
  /// The thread in whose arena or on whose stack this is, or max_threads.
  [[nodiscard]] std::size_t owner(std::uintptr_t where) const;
  /// A name for people: shared+0x40, T1+0x80, T1:stack+0x1f0; the number itself if it is no address of ours.
  [[nodiscard]] std::string name(std::uint64_t value) const;

  static std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

private:
  region();
  char* base_;
};

}  // namespace hemlock::check
