#include "check/symmetry.hpp"

#include <algorithm>
#include <numeric>

namespace hemlock::check {

symmetries::symmetries(const std::vector<int>& kinds)
    : begin_(region::address_of(region::get().arena(0))),
      stacks_(max_threads * region::arena_bytes),
      end_(stacks_ + max_threads * region::stack_bytes) {
  std::array<std::uint8_t, max_threads> places{};
  std::iota(places.begin(), places.end(), std::uint8_t{0});
  const auto last = places.begin() + static_cast<std::ptrdiff_t>(kinds.size());
  do {
    bool same = true;
    for (std::size_t thread = 0; thread < kinds.size(); ++thread)
      same = same && kinds[thread] == kinds[places[thread]];
    if (same) places_.push_back(places);
  } while (places_.size() < max_symmetries && std::next_permutation(places.begin(), last));
  for (const auto& each : places_) {
    auto& sets = sets_.emplace_back();
    for (unsigned bits = 0; bits < sets.size(); ++bits) {
      unsigned moved = bits & ~((1U << max_threads) - 1U);
      for (std::size_t thread = 0; thread < max_threads; ++thread)
        if ((bits >> thread & 1U) != 0) moved |= 1U << each[thread];
      sets[bits] = static_cast<std::uint8_t>(moved);
    }
  }
}

}  // namespace hemlock::check
