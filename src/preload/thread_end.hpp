// Something to do when this thread ends, after its own code and together with the destructors of its pthread keys.
// An action that is asked for again while the thread is ending runs again, as often as glibc repeats destructors.
#pragma once

namespace hemlock::preload::thread_end {

/// The last action asked for is the one that runs.
void run(void (*action)()) noexcept;

}  // namespace hemlock::preload::thread_end
