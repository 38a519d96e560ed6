// The envelope of every JSON document that the tool writes; docs/json.md is its reference.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hemlock::report {

/// Raised by one when a reader of the old documents would misread the new ones.
inline constexpr int schema = 1;

/// {"schema", "version", "command", "machine"}: the caller adds its results under keys of its own.
nlohmann::json document(std::string_view command);

/// A command as it could be typed again in a shell.
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace hemlock::report
