// hemlock::timed_mutex: hemlock::mutex itself, whose timed waits cost the others nothing. The name is there for
// those who come from std::timed_mutex.
#pragma once

#include "mutex.hpp"

namespace hemlock {

using timed_mutex = mutex;

}  // namespace hemlock
