// The functions whose machine code check_fast_path.sh looks at.
#include "hemlock/locks/hemlock_ctr.hpp"
#include "hemlock/world/native.hpp"

namespace {
constinit hemlock::hemlock_ctr<hemlock::native<hemlock::waiting::automatic>> the_lock;
}

extern "C" [[gnu::noinline]] void fast_path_lock() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
  the_lock.lock();
}
extern "C" [[gnu::noinline]] void fast_path_unlock() HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
  the_lock.unlock();
}

int main() {
  fast_path_lock();
  fast_path_unlock();
}
