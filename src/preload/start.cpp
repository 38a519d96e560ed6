// What the library does when it is loaded and when the process ends. Locks do not wait for either.
#include "hemlock/platform/cpu_budget.hpp"
#include "hemlock/platform/spin_bound.hpp"
#include "preload/fork.hpp"
#include "preload/hooks.hpp"
#include "preload/settings.hpp"
#include "preload/statistics.hpp"

namespace hemlock::preload {
namespace {

[[gnu::constructor]] void start() noexcept {
  mode_now();
  follow_forks();
  // Both read files or measure, at their first use. Not in somebody's pthread_mutex_lock, on a small stack.
  cpu_budget();
  relaxes_per_spin_bound();
}

[[gnu::destructor]] void end() noexcept {
  statistics::report();
  hooks::at_the_end();
}

}  // namespace
}  // namespace hemlock::preload
