// Types in debug information: where in one a mutex lies.
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <string>

namespace hemlock::profile {

/// The type that a variable, member, pointer or array says it has, by its own name.
bool named_type_of(Dwarf_Die* die, Dwarf_Die* type);
/// Likewise, through typedef, const and volatile.
bool type_of(Dwarf_Die* die, Dwarf_Die* type);

/// Whether a type, or what it is a typedef of, is called a mutex: std::mutex, pthread_mutex_t, leveldb's Mutex.
bool is_mutex(Dwarf_Die type);

/// What must be written behind an object of that type to reach the mutex which begins so many bytes past its
/// beginning: ".shards[3].mutex_". As far as debug information goes; nothing if that is not as far as a mutex, and
/// `surely` is asked for.
std::optional<std::string> path_to_mutex(Dwarf_Die type, Dwarf_Word past, bool surely);

}  // namespace hemlock::profile
