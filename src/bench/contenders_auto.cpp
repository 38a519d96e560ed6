#include "bench/contender_of.hpp"

namespace hemlock::bench {

std::vector<contender> automatic_contenders() {
  return contenders_that<waiting::automatic>();
}

}  // namespace hemlock::bench
