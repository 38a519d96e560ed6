// The name of a place inside a variable, as a programmer would write it.
#pragma once

#include <elfutils/libdwfl.h>

#include <string>

namespace hemlock::profile {

/// "g_table.shards[3].mutex_" for an address of the session's, by debug information; empty if that has no such
/// variable.
std::string variable_path(Dwfl_Module* module, Dwarf_Addr address);

}  // namespace hemlock::profile
