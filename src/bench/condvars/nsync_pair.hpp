// nsync_mu with nsync_cv.
#pragma once

#include <nsync.h>

#include <string_view>

namespace hemlock::bench::condvars {

struct nsync_pair {
  static constexpr std::string_view name = "nsync";
  using mutex = nsync::nsync_mu;  // all zero is their initial value
  using condition = nsync::nsync_cv;

  static void lock(mutex& m) { nsync::nsync_mu_lock(&m); }
  static void unlock(mutex& m) { nsync::nsync_mu_unlock(&m); }
  static void wait(condition& c, mutex& m) { nsync::nsync_cv_wait(&c, &m); }
  static void notify_one(condition& c) { nsync::nsync_cv_signal(&c); }
  static void notify_all(condition& c) { nsync::nsync_cv_broadcast(&c); }
};

}  // namespace hemlock::bench::condvars
