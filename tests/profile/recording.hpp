// Runs a program under the recorder, and looks things up in what came of it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "profile/views.hpp"

namespace hemlock::profile {

struct scratch {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("hemlock-profile-" + std::to_string(::getpid()));
  scratch() { std::filesystem::create_directories(folder); }
  ~scratch() { std::filesystem::remove_all(folder); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  std::string file() const { return (folder / "a.prof").string(); }
};

struct finished {
  int status = 0;
  std::string out;
};

/// With what it says on standard error behind what it prints.
inline finished run(const std::string& environment, const std::string& command) {
  const std::string line = "ulimit -c 0; " + environment + " timeout 100 " + command + " 2>&1";
  finished end;
  std::FILE* const pipe = ::popen(line.c_str(), "r");
  char text[256];
  while (std::fgets(text, sizeof text, pipe) != nullptr) end.out += text;
  end.status = ::pclose(pipe);
  return end;
}

inline finished record(const scratch& where, const std::string& command,
                       const std::string& environment = "") {
  return run(environment + " LD_PRELOAD=" RECORDER " HEMLOCK_PROFILE=" + where.file(), command);
}

inline const lock_view* find(const profile& all, std::string_view name) {
  for (const auto& lock : all.locks)
    if (lock.name.find(name) != std::string::npos) return &lock;
  return nullptr;
}

inline std::string innermost(const profile& all, place where) {
  const auto stack = all.stacks.find(where);
  return stack == all.stacks.end() ? "(no stack)" : short_function(telling_frame(stack->second)->function);
}

}  // namespace hemlock::profile
