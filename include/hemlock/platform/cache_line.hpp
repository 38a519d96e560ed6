// How far apart two words must be so that writing one does not disturb the other.
#pragma once

#include <cstddef>

namespace hemlock {

inline constexpr std::size_t cache_line_bytes = 64;

/// Two lines: x86's spatial prefetcher and aarch64's larger lines both fetch 128 bytes at a time, so a word
/// that is to be alone in its line has to be alone in a pair.
inline constexpr std::size_t false_sharing_bytes = 2 * cache_line_bytes;

/// A T that shares its cache lines with nothing else.
template <class T>
struct alignas(false_sharing_bytes) padded : T {
  static constexpr std::size_t payload_bytes = sizeof(T);
};

}  // namespace hemlock
