// Waiting on a condition variable that is ours, with a mutex that may be anybody's.
#pragma once

#include <pthread.h>

#include "hemlock/platform/deadline.hpp"
#include "preload/layout.hpp"

namespace hemlock::preload {

/// `limit` null: for ever. A cancellation point: the mutex is locked again before cleanup handlers run.
int wait_on(cond_body& cond, pthread_mutex_t* mutex, const deadline* limit);

}  // namespace hemlock::preload
