#include "bench/leveldb/scratch_directory.hpp"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace hemlock::bench {

scratch_directory::scratch_directory() {
  std::error_code ignored;
  const auto base = std::filesystem::temp_directory_path(ignored);
  path_ = (base.empty() ? std::filesystem::path("/tmp") : base) / "hemlock-leveldb-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot make a scratch directory " + path_);
}

scratch_directory::~scratch_directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace hemlock::bench
