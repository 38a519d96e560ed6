#include "bench/contender_of.hpp"

namespace hemlock::bench {

std::vector<contender> spinning_contenders() {
  return contenders_that<waiting::spin>();
}

}  // namespace hemlock::bench
