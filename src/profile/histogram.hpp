// Log-linear buckets: four to an octave, so a bucket is at most a quarter wider than it is low. From one
// nanosecond to nine minutes; what is longer falls into the last.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace hemlock::profile {

inline constexpr std::size_t bucket_count = 152;

constexpr std::size_t bucket_of(std::uint64_t value) noexcept {
  if (value < 4) return static_cast<std::size_t>(value);
  const unsigned octave = static_cast<unsigned>(std::bit_width(value)) - 1;
  const std::size_t index = 4 * (octave - 1) + static_cast<std::size_t>((value >> (octave - 2)) & 3);
  return index < bucket_count ? index : bucket_count - 1;
}

/// The smallest value of a bucket; that of the bucket after it is the first value beyond.
constexpr std::uint64_t bucket_floor(std::size_t index) noexcept {
  if (index < 4) return index;
  return (std::uint64_t{4} + index % 4) << (index / 4 - 1);
}

static_assert(bucket_of(bucket_floor(77)) == 77 && bucket_of(bucket_floor(78) - 1) == 77);
static_assert(bucket_of(0) == 0 && bucket_of(4) == 4 && bucket_of(~std::uint64_t{0}) == bucket_count - 1);

}  // namespace hemlock::profile
