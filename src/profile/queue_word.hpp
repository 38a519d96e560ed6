// How long all waiters of a lock have waited, at any instant, in one word.
//
// With n waiters who came at instants s1 ... sn, and D the waits that are over, they have waited D + n·t - (s1 +
// ... + sn) at the instant t. The word holds n and A = D - (s1 + ... + sn): who comes takes the instant from A,
// who goes adds it, and at any instant the sum is A + n·t. The holder reads it when it takes and when it
// releases the lock; the difference is what the others waited for this one hold, however many came and went.
// While nobody waits the sum is A, and no clock need be read.
//
// A has 48 bits and wraps; differences are right unless all waiting for one hold together exceeds 78 hours.
#pragma once

#include <cstdint>

namespace hemlock::profile {

struct queue_word {
  static constexpr unsigned shift = 48;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << shift) - 1;

  static constexpr std::uint32_t waiters(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> shift);
  }
  static constexpr std::uint64_t come(std::uint64_t word, std::uint64_t now) noexcept {
    return ((word & ~mask) + (std::uint64_t{1} << shift)) | ((word - now) & mask);
  }
  static constexpr std::uint64_t go(std::uint64_t word, std::uint64_t now) noexcept {
    return ((word & ~mask) - (std::uint64_t{1} << shift)) | ((word + now) & mask);
  }
  /// What all have waited until now.
  static constexpr std::uint64_t waited(std::uint64_t word, std::uint64_t now) noexcept {
    return (word + waiters(word) * now) & mask;
  }
};

static_assert(queue_word::waited(queue_word::go(queue_word::come(0, 100), 130), 500) == 30);
static_assert(queue_word::waited(queue_word::come(queue_word::come(0, 100), 110), 150) == 90);

}  // namespace hemlock::profile
