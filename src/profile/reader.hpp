// A profile file as it is found: whole, cut short, damaged, or still being written. What is whole is kept, what is
// not is told.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "profile/format.hpp"

namespace hemlock::profile {

/// Nothing of the file can be shown; the text says why.
struct bad_profile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Places are as in the file, and may name records that are missing: look them up, never index.
struct contents {
  file_header header{};
  std::map<place, lock_record> locks;
  std::map<place, histogram_record> histograms;
  std::map<place, stack_record> stacks;
  std::map<place, thread_record> threads;
  std::map<place, clue_record> clues;
  std::vector<share_record> shares;
  std::vector<edge_record> edges;
  std::map<std::uint32_t, module_record> modules;  ///< by number
  std::vector<std::string> warnings;
};

/// Whether the file begins like a profile of any version.
bool is_profile(const std::string& path);

contents read_profile(const std::string& path);
contents parse_profile(std::string_view bytes);

}  // namespace hemlock::profile
