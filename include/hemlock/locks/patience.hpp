// Time as the two mutexes see it: waits with a limit, without one, and in Worlds that have no clock.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../world/concept.hpp"

namespace hemlock {

/// A wait that only ends with what it waits for.
struct no_limit {};

template <class World, class T, class Limit>
bool park_within(const typename World::template atomic<T>& word, T expected, const Limit& limit) noexcept {
  if constexpr (std::is_same_v<Limit, no_limit>) {
    World::park(word, expected);
    return true;
  } else {
    return World::park_until(word, expected, limit);
  }
}

template <class World, class Limit>
bool limit_passed([[maybe_unused]] const Limit& limit) noexcept {
  if constexpr (std::is_same_v<Limit, no_limit>)
    return false;
  else
    return World::passed(limit);
}

/// Patience in a World without a clock: a look is as good as a microsecond.
class counted_patience {
public:
  static constexpr unsigned unlocks_per_look = 32;
  constexpr mood look(const patience_limits& limits) noexcept {
    elapsed_ += 1000;
    return elapsed_ > limits.exhausted_after   ? mood::exhausted
           : elapsed_ > limits.impatient_after ? mood::impatient
                                               : mood::patient;
  }

private:
  std::uint32_t elapsed_ = 0;
};

namespace detail {
template <class World>
struct patience_of {
  using type = counted_patience;
};
template <class World>
  requires requires {
    typename World::patience;
  }
struct patience_of<World> {
  using type = typename World::patience;
};
}  // namespace detail

template <class World>
using patience_in = typename detail::patience_of<World>::type;

/// Offers this CPU to whoever else can run on it, where the World knows how.
template <class World>
void give_way() noexcept {
  if constexpr (requires { World::give_way(); }) World::give_way();
}

/// Said at the head of a loop in which a thread looks for its chance anew: nothing it has seen before decides what it does
/// next, only where it is and `value`. A World that explores may forget the difference; all others have nothing to do.
template <class Spinner>
void search_again([[maybe_unused]] Spinner& spinner, [[maybe_unused]] const void* value,
                  [[maybe_unused]] std::uint32_t place) noexcept {
  if constexpr (requires { spinner.search_again(value, place); }) spinner.search_again(value, place);
}

/// As spinner::pause_or_park(), but with ever longer pauses where the World's spinner offers them: each look of
/// the first waiter takes the lock's cache line from a thread that is using it.
template <class Spinner>
bool back_off_or_park(Spinner& spinner) noexcept {
  if constexpr (requires { spinner.back_off_or_park(); })
    return spinner.back_off_or_park();
  else
    return spinner.pause_or_park();
}

}  // namespace hemlock
