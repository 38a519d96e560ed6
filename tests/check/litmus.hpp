// Litmus programs as data, so that the explorer and a brute-force enumeration can run the same ones.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <vector>

namespace litmus {

inline constexpr auto rlx = std::memory_order_relaxed;
inline constexpr auto acq = std::memory_order_acquire;
inline constexpr auto rel = std::memory_order_release;
inline constexpr auto ar = std::memory_order_acq_rel;
inline constexpr auto sc = std::memory_order_seq_cst;

struct instruction {
  enum kind_type { load, store, exchange, add, fence } kind;
  int word = 0;
  int value = 0;
  std::memory_order order = rlx;

  [[nodiscard]] bool reads() const { return kind == load || kind == exchange || kind == add; }
  [[nodiscard]] bool writes() const { return kind == store || kind == exchange || kind == add; }
};

inline constexpr int x = 0;
inline constexpr int y = 1;
inline constexpr int z = 2;
inline constexpr int words = 3;

inline instruction r(int word, std::memory_order order) {
  return {instruction::load, word, 0, order};
}
inline instruction w(int word, int value, std::memory_order order) {
  return {instruction::store, word, value, order};
}
inline instruction swap(int word, int value, std::memory_order order) {
  return {instruction::exchange, word, value, order};
}
inline instruction faa(int word, int value, std::memory_order order) {
  return {instruction::add, word, value, order};
}
inline instruction f(std::memory_order order) {
  return {instruction::fence, 0, 0, order};
}

using program = std::vector<std::vector<instruction>>;
/// Each outcome: the values read, thread by thread, in order; then "|" and the final values of the words.
using outcomes = std::set<std::string>;

/// What the explorer finds; with `reduced`, as it is used; without, every interleaving.
outcomes explored(const program& what, bool reduced = true);
/// What the axioms of RC11 allow, by trying every reads-from and every modification order.
outcomes allowed(const program& what);
std::string to_string(const program& what);

/// Whether some outcome has these values read.
bool has(const outcomes& all, const std::string& reads);

}  // namespace litmus
