// A line on the program's standard error, in one write and without allocation.
#pragma once

#include <unistd.h>

#include <cstdio>

namespace hemlock::profile::record {

template <class... Arguments>
[[gnu::cold]] void say(const char* format, Arguments... arguments) noexcept {
  char text[1200];
  char line[1300];
  if constexpr (sizeof...(Arguments) == 0)
    std::snprintf(text, sizeof text, "%s", format);
  else
    std::snprintf(text, sizeof text, format, arguments...);
  const int length = std::snprintf(line, sizeof line, "hemlock: %s\n", text);
  if (length > 0) [[maybe_unused]]
    const auto ignored = ::write(STDERR_FILENO, line, static_cast<std::size_t>(length));
}

}  // namespace hemlock::profile::record
