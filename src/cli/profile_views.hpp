// What `hemlock report` and `hemlock diff` do with profile files.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/served_locks.hpp"

namespace hemlock::cli {

bool is_profile(const std::string& path);

struct profile_view_options {
  int top = 10;
  std::string by = "wait";
  std::string group = "lock";
  std::string json = {};
  std::string folded = {};
  std::string dot = {};

  void add_to(CLI::App& command);
  /// Whether any was given.
  bool asked() const;
};

int report_profile(const std::string& path, const profile_view_options& asked, const std::string& html,
                   const std::string& command);

/// `threshold`: 1 is returned if waiting per acquisition grew by more than that.
int diff_profiles(const std::string& before, const std::string& after, std::optional<double> threshold,
                  const std::string& json, const std::string& command);

}  // namespace hemlock::cli
