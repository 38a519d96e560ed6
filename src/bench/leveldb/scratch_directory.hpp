// A directory of our own under TMPDIR, gone when this object is.
#pragma once

#include <string>

namespace hemlock::bench {

class scratch_directory {
public:
  /// Throws std::system_error.
  scratch_directory();
  ~scratch_directory();
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  const std::string& path() const noexcept { return path_; }

private:
  std::string path_;
};

}  // namespace hemlock::bench
