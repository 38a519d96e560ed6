// The name of a mutex inside an object that no variable holds: by the class of the object.
#pragma once

#include <elfutils/libdwfl.h>

#include <string>

#include "profile/format.hpp"

namespace hemlock::profile {

/// "DBImpl::mutex_", if the function at an address of the session's has a pointer variable where the clue was found,
/// to a class that has a mutex there; else empty.
std::string member_name(Dwfl_Module* module, Dwarf_Addr address, const clue& found);

}  // namespace hemlock::profile
