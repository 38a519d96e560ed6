#include "preload/message.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace hemlock::preload {

void say(const char* format, ...) noexcept {
  const int saved_errno = errno;
  char line[2048] = "hemlock: ";
  constexpr std::size_t prefix = sizeof "hemlock: " - 1;
  std::va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it does not know this va_start
  const int wanted = std::vsnprintf(line + prefix, sizeof line - prefix - 1, format, arguments);
  va_end(arguments);
  const std::size_t written =
      wanted < 0 ? 0 : std::min<std::size_t>(static_cast<std::size_t>(wanted), sizeof line - prefix - 2);
  line[prefix + written] = '\n';
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, line, prefix + written + 1);
  errno = saved_errno;
}

}  // namespace hemlock::preload
