// One access to shared memory, as data: what to do, where, and under which label of the lock's table.
#pragma once

#include <cstdint>
#include <cstring>

namespace hemlock::sim {

struct operation {
  enum class kind : std::uint8_t { load, store, exchange, add, bit_and, bit_or, bit_xor, compare_exchange };
  kind what = kind::load;
  std::uint8_t size = 8;
  bool succeeded = false;  ///< compare_exchange
  void* address = nullptr;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  ///< compare_exchange
  std::uint64_t before = 0;    ///< the value found
  const char* label = "";

  [[nodiscard]] bool is_rmw() const { return what != kind::load && what != kind::store; }
};

inline const char* name_of(operation::kind what) {
  switch (what) {
    case operation::kind::load:
      return "load";
    case operation::kind::store:
      return "store";
    case operation::kind::exchange:
      return "SWAP";
    case operation::kind::add:
      return "FAA";
    case operation::kind::bit_and:
      return "AND";
    case operation::kind::bit_or:
      return "OR";
    case operation::kind::bit_xor:
      return "XOR";
    case operation::kind::compare_exchange:
      return "CAS";
  }
  return "?";
}

inline bool same_look(const operation& one, const operation& other) {
  return one.what == other.what && one.address == other.address && one.size == other.size &&
         one.operand == other.operand && one.expected == other.expected;
}

inline std::uint64_t peek(const void* address, std::uint8_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, address, size);
  return value;
}

/// Does it, now. True if memory changed.
inline bool apply(operation& what) {
  what.before = peek(what.address, what.size);
  std::uint64_t after = what.before;
  switch (what.what) {
    case operation::kind::load:
      return false;
    case operation::kind::store:
    case operation::kind::exchange:
      after = what.operand;
      break;
    case operation::kind::add:
      after += what.operand;
      break;
    case operation::kind::bit_and:
      after &= what.operand;
      break;
    case operation::kind::bit_or:
      after |= what.operand;
      break;
    case operation::kind::bit_xor:
      after ^= what.operand;
      break;
    case operation::kind::compare_exchange:
      what.succeeded = what.before == what.expected;
      if (what.succeeded) after = what.operand;
      break;
  }
  std::memcpy(what.address, &after, what.size);
  return peek(what.address, what.size) != what.before;
}

}  // namespace hemlock::sim
