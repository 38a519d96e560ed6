// Memory orders that carry the label of the operation they belong to.
//
// A lock writes `tail_.exchange(&self, order::acq_rel<"arrive">)`. To std::atomic this is
// std::memory_order_acq_rel; to the checker it is also the name under which the operation appears in the
// lock's table of orders, in a counterexample, and in the report that weakens each order in turn.
#pragma once

#include <atomic>
#include <cstddef>

namespace hemlock {

template <std::size_t Size>
struct label_text {
  char text[Size];
  consteval label_text(const char (&literal)[Size]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < Size; ++i) text[i] = literal[i];
  }
};

struct labelled_order {
  std::memory_order order;
  const char* label;
  constexpr operator std::memory_order() const noexcept { return order; }
};

namespace order {

template <label_text Label>
inline constexpr labelled_order relaxed{std::memory_order_relaxed, Label.text};
template <label_text Label>
inline constexpr labelled_order acquire{std::memory_order_acquire, Label.text};
template <label_text Label>
inline constexpr labelled_order release{std::memory_order_release, Label.text};
template <label_text Label>
inline constexpr labelled_order acq_rel{std::memory_order_acq_rel, Label.text};
template <label_text Label>
inline constexpr labelled_order seq_cst{std::memory_order_seq_cst, Label.text};

/// For the assertions in the code, which order nothing.
inline constexpr labelled_order look{std::memory_order_relaxed, "look"};

}  // namespace order

}  // namespace hemlock
