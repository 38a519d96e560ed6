// How a program comes to run with one of our locks: where the preload library is, and what it reads.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hemlock::cli {

inline constexpr auto preload_file = "libhemlock-preload.so";
/// The same with a recorder inside.
inline constexpr auto profile_file = "libhemlock-preload-profile.so";

/// Beside the tool, as in a build folder, or in the lib folder of an installation.
std::optional<std::string> find_preload_library(const char* file = preload_file);

/// Environment variables to set for one run; an empty value means: unset.
using environment = std::vector<std::pair<std::string, std::string>>;

/// In this process, for what it is about to become.
void take_on(const environment& changes);

/// For native: nothing of ours, whatever this shell exports. Otherwise the library first in LD_PRELOAD, before
/// what is there already. Throws std::runtime_error when the library cannot be found.
environment environment_for(const std::string& lock, const std::string& wait, bool stats,
                            const char* file = preload_file);

}  // namespace hemlock::cli
