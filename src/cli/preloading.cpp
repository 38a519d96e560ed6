#include "cli/preloading.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "cli/served_locks.hpp"

namespace hemlock::cli {
namespace {

std::string inherited(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// An LD_PRELOAD without any library of ours: a native run must not have one by inheritance.
std::string others_preloaded() {
  std::string kept;
  const auto all = inherited("LD_PRELOAD");
  for (std::size_t begin = 0; begin < all.size();) {
    const auto end = std::min(all.find_first_of(": ", begin), all.size());
    const auto one = all.substr(begin, end - begin);
    const auto name = std::filesystem::path{one}.filename();
    if (!one.empty() && name != preload_file && name != profile_file) kept += (kept.empty() ? "" : ":") + one;
    begin = end + 1;
  }
  return kept;
}

}  // namespace

std::optional<std::string> find_preload_library(const char* file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<fs::path> places = {folder / file, folder / "../lib" / file, folder / "../lib64" / file};
  for (const auto& entry : fs::directory_iterator{folder / "../lib", ignored})
    if (entry.is_directory(ignored)) places.push_back(entry.path() / file);
  for (const auto& place : places)
    if (fs::is_regular_file(place, ignored)) return fs::weakly_canonical(place, ignored).string();
  return std::nullopt;
}

void take_on(const environment& changes) {
  for (const auto& [name, value] : changes) {
    if (value.empty())
      ::unsetenv(name.c_str());
    else
      ::setenv(name.c_str(), value.c_str(), 1);
  }
}

environment environment_for(const std::string& lock, const std::string& wait, bool stats, const char* file) {
  const auto others = others_preloaded();
  if (lock == native_name)
    return {{"LD_PRELOAD", others}, {"HEMLOCK_LOCK", ""}, {"HEMLOCK_WAIT", ""}, {"HEMLOCK_STATS", ""}};
  const auto library = find_preload_library(file);
  if (!library)
    throw std::runtime_error{fmt::format("{} is neither beside this program nor in ../lib", file)};
  if (library->find_first_of(": ") != std::string::npos)
    throw std::runtime_error{
        fmt::format("the path '{}' has a blank or a colon, which LD_PRELOAD cannot carry", *library)};
  return {{"LD_PRELOAD", others.empty() ? *library : *library + ':' + others},
          {"HEMLOCK_LOCK", lock},
          {"HEMLOCK_WAIT", wait},
          {"HEMLOCK_STATS", stats ? "1" : ""}};
}

}  // namespace hemlock::cli
