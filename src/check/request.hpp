// What a thread of a checked program asks of the engine.
#pragma once

#include <atomic>
#include <cstdint>

namespace hemlock::check {

using address = std::uintptr_t;

enum class action : std::uint8_t {
  load,
  store,
  exchange,
  add,
  bit_or,
  bit_and,
  bit_xor,
  compare_exchange,
  compare_exchange_weak,
  fence,
  park,
  park_until,
  unpark_one,
  unpark_all,
  monitor_lock,
  monitor_unlock,
  monitor_wait,
  monitor_notify,
  choose,  ///< `operand` ways to go on
  again,   ///< the next iteration of a wait loop that has written something
  finished,
};

/// What a thread asks for before it can go on.
struct request {
  action what = action::finished;
  std::memory_order order = std::memory_order_relaxed;
  std::memory_order failure_order = std::memory_order_relaxed;
  address where = 0;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;
  std::uint64_t initial = 0;
  std::uint64_t mask = ~std::uint64_t{0};
  const char* label = "";
  const char* failure_label = "";
  const char* file = "";  ///< where in the lock's source
  const char* function = "";
  std::uint32_t line = 0;
};

/// As it is told: "acq_rel".
const char* order_name(std::memory_order order);

}  // namespace hemlock::check
