// Threads that do the same can change places: two states that differ only in that are explored once.
//
// A change of places renames the threads, and with them every address in a thread's arena or on its stack, wherever it
// stands: in a lock's word, in a record, in what a thread has read. The programs look at addresses only to follow and to
// compare them, and the addresses of locks, which some locks hash, keep their names.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "check/region.hpp"
#include "check/view.hpp"

namespace hemlock::check {

inline constexpr std::size_t max_symmetries = 24;

/// What a thread has gone through, as it would be under each of the symmetries.
using fingerprint = std::array<std::uint64_t, max_symmetries>;

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  hash *= 0xff51afd7ed558ccdU;
  return hash ^ (hash >> 32U);
}

class symmetries {
public:
  /// Threads of equal kind can change places. The first symmetry is that all stay.
  explicit symmetries(const std::vector<int>& kinds);

  [[nodiscard]] std::size_t count() const { return places_.size(); }
  [[nodiscard]] std::size_t place(std::size_t which, std::size_t thread) const {
    return places_[which][thread];
  }
  /// A set of threads, one bit each; other bits stay.
  [[nodiscard]] std::uint8_t set(std::size_t which, std::uint8_t threads) const {
    return sets_[which][threads];
  }
  [[nodiscard]] std::uint64_t renamed(std::size_t which, std::uint64_t value) const {
    if (which == 0) return value;
    const std::uint64_t offset = value - begin_;
    if (offset >= end_) return value;
    const std::size_t thread =
        offset < stacks_ ? offset / region::arena_bytes : (offset - stacks_) / region::stack_bytes;
    const std::size_t stride = offset < stacks_ ? region::arena_bytes : region::stack_bytes;
    return value + (static_cast<std::uint64_t>(places_[which][thread]) - thread) * stride;
  }
  void add(fingerprint& to, std::uint64_t value) const {
    for (std::size_t i = 0; i < count(); ++i) to[i] = mix(to[i], renamed(i, value));
  }

private:
  std::vector<std::array<std::uint8_t, max_threads>> places_;
  std::vector<std::array<std::uint8_t, 256>> sets_;
  std::uint64_t begin_;
  std::uint64_t stacks_;  ///< from begin_
  std::uint64_t end_;
};

}  // namespace hemlock::check
