// Durations in nanoseconds, counted in buckets whose width is a thirty-second of their power of two: any
// percentile is known to about 3 %, the largest exactly, and adding one costs a few instructions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace hemlock::bench {

class wait_histogram {
public:
  void add(std::uint64_t nanoseconds) noexcept {
    ++counts_[bucket_of(nanoseconds)];
    ++total_;
    longest_ = std::max(longest_, nanoseconds);
  }

  void add(const wait_histogram& other) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
    longest_ = std::max(longest_, other.longest_);
  }

  std::uint64_t total() const noexcept { return total_; }
  std::uint64_t longest() const noexcept { return longest_; }

  /// The smallest bound that at least this share of all durations keep to; 0 when there are none.
  std::uint64_t quantile(double share) const noexcept {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(total_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (counts_[i] > 0 && seen >= wanted) return std::min(last_in(i), longest_);
    }
    return longest_;
  }

private:
  static constexpr unsigned fine_bits = 5;
  static constexpr unsigned top_bits = 44;  // about five hours
  static constexpr std::size_t fine = std::size_t{1} << fine_bits;

  static std::size_t bucket_of(std::uint64_t value) noexcept {
    value = std::min(value, (std::uint64_t{1} << top_bits) - 1);
    if (value < fine) return static_cast<std::size_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - fine_bits;
    return shift * fine + static_cast<std::size_t>(value >> shift);
  }
  static std::uint64_t last_in(std::size_t bucket) noexcept {
    if (bucket < 2 * fine) return bucket;
    const std::size_t shift = bucket / fine - 1;
    return ((std::uint64_t{bucket} - shift * fine + 1) << shift) - 1;
  }

  std::array<std::uint64_t, (top_bits - fine_bits + 1) * fine> counts_{};
  std::uint64_t total_ = 0;
  std::uint64_t longest_ = 0;
};

}  // namespace hemlock::bench
