// Randomness as a pure function. A shared generator would make one CPU's jitter depend on how often another
// asked; a hash of what the number is for does not.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace hemlock::sim {

/// The finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
inline constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}
inline constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  return mix(mix(mix(a) ^ b) ^ c);
}

/// Uniform in [0, 1).
inline constexpr double unit(std::uint64_t hashed) {
  return static_cast<double>(hashed >> 11) * 0x1.0p-53;
}

/// A permutation that depends on the seed alone.
template <class T>
void shuffle(std::vector<T>& items, std::uint64_t seed) {
  for (std::size_t left = items.size(); left > 1; --left)
    std::swap(items[left - 1], items[mix(seed, left) % left]);
}

}  // namespace hemlock::sim
