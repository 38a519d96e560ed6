// Where a thread is, as a place in the file. Without allocation and without the loader's lock.
//
// Unwinding by call frame information takes microseconds, too long for a critical section. So a stack that was
// unwound is remembered together with the addresses at which its return addresses lie. When the same code is
// reached again at the same stack pointer, those words are compared, innermost first: if all still hold the same
// return addresses it is the same stack, for some twenty loads. Each comparison that holds proves that the next
// frame exists, so no word outside the stack is ever read.
//
// The unwinder is libgcc's, linked statically: it finds call frame information through _dl_find_object, which
// takes no lock. libunwind goes through dl_iterate_phdr, which takes the loader's.
#pragma once

#include "profile/format.hpp"

namespace hemlock::profile::record {

/// This thread's stack, without the recorder's own frames; 0 if there is no room for it. `patient`: false only
/// looks whether the stack is remembered, and gives 0 if it is not.
[[gnu::noinline]] place this_stack(bool patient = true) noexcept;

/// Before the first stack. False: no memory.
bool make_stacks() noexcept;
void forget_stacks() noexcept;

}  // namespace hemlock::profile::record
