#include "bench/contender_of.hpp"

namespace hemlock::bench {

std::vector<contender> parking_contenders() {
  return contenders_that<waiting::park>();
}

}  // namespace hemlock::bench
