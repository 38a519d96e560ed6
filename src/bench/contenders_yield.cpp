#include "bench/contender_of.hpp"

namespace hemlock::bench {

std::vector<contender> yielding_contenders() {
  return contenders_that<waiting::yield>();
}

}  // namespace hemlock::bench
