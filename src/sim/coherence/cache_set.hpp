// Which private caches hold a line: one bit each.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace hemlock::sim {

using cache_id = std::int16_t;
inline constexpr cache_id no_cache = -1;
inline constexpr std::size_t max_caches = 256;

class cache_set {
public:
  [[nodiscard]] bool contains(cache_id cache) const { return (word(cache) & bit(cache)) != 0; }
  void insert(cache_id cache) { words_[index(cache)] |= bit(cache); }
  void erase(cache_id cache) { words_[index(cache)] &= ~bit(cache); }
  void clear() { words_ = {}; }
  [[nodiscard]] bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (const auto part : words_) count += static_cast<std::size_t>(std::popcount(part));
    return count;
  }
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (auto part = words_[i]; part != 0; part &= part - 1)
        visit(static_cast<cache_id>(i * 64 + static_cast<std::size_t>(std::countr_zero(part))));
  }
  /// Whether any member has a number in [first, last).
  [[nodiscard]] bool any_in(cache_id first, cache_id last) const {
    for (cache_id cache = first; cache < last;) {
      const auto rest = word(cache) >> (static_cast<unsigned>(cache) % 64);
      if (rest != 0) return cache + std::countr_zero(rest) < last;
      cache = static_cast<cache_id>((cache / 64 + 1) * 64);
    }
    return false;
  }
  friend bool operator==(const cache_set&, const cache_set&) = default;

private:
  static std::size_t index(cache_id cache) { return static_cast<std::size_t>(cache) / 64; }
  static std::uint64_t bit(cache_id cache) { return std::uint64_t{1} << (static_cast<unsigned>(cache) % 64); }
  [[nodiscard]] std::uint64_t word(cache_id cache) const { return words_[index(cache)]; }

  std::array<std::uint64_t, max_caches / 64> words_{};
};

}  // namespace hemlock::sim
