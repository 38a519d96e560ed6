// Lines on standard error. No allocation, one write each, so that lines of several processes do not mix.
#pragma once

namespace hemlock::preload {

/// As printf, with "hemlock: " before and a newline after; cut at a page's length.
[[gnu::format(printf, 1, 2), gnu::cold]] void say(const char* format, ...) noexcept;

}  // namespace hemlock::preload
