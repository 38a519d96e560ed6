// hemlock::mutex with other bounds on how long its first waiter is overtaken: the curve its default lies on.
#include <fmt/core.h>

#include "bench/contender_of.hpp"

namespace hemlock::bench {
namespace {

template <std::uint32_t Microseconds>
struct bounded : native<waiting::automatic> {
  static constexpr patience_limits hand_over{.impatient_after = Microseconds * 1000,
                                             .impatient_again_after = Microseconds * 500,
                                             .exhausted_after = Microseconds * 3000};
};

template <std::uint32_t Microseconds>
contender mutex_after() {
  contender one = contender_of<basic_mutex<bounded<Microseconds>>>(waiting::automatic::name);
  one.name = fmt::format("mutex@{}us", Microseconds);
  one.variant = true;
  return one;
}

}  // namespace

std::vector<contender> bounded_contenders() {
  return {mutex_after<10>(),  mutex_after<30>(),   mutex_after<100>(),
          mutex_after<300>(), mutex_after<1000>(), mutex_after<10'000>()};
}

}  // namespace hemlock::bench
