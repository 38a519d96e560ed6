// From module and offset to names: functions with those inlined into them, and variables.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "profile/format.hpp"

namespace hemlock::profile {

/// A line of a stack as people read it.
struct code_frame {
  std::string function;  ///< demangled; "module+0x1234" where nothing is known
  std::string file;      ///< empty without debug information
  int line = 0;
  bool inlined = false;
  bool is_named = true;  ///< false where nothing is known
};

class symbolizer {
public:
  explicit symbolizer(const std::map<std::uint32_t, module_record>& modules);
  ~symbolizer();
  symbolizer(const symbolizer&) = delete;
  symbolizer& operator=(const symbolizer&) = delete;

  /// Innermost first; never empty. A return address: the call before it is meant.
  std::vector<code_frame> code(std::uint64_t frame);
  /// "g_lock", "g_table.mutex_" with debug information, "g_table+0x28" without; empty if there is no symbol.
  std::string data(std::uint64_t origin);

  /// "DBImpl::mutex_" for a mutex in an object, by what a frame of the stack that first took it knew of the object;
  /// empty if debug information does not tell.
  std::string member(std::uint64_t frame, const clue& found);

  /// Files that changed since they were recorded, or are not there.
  const std::vector<std::string>& complaints() const;

private:
  struct object;
  object* find(std::uint32_t number);
  struct implementation;
  std::unique_ptr<implementation> all_;
};

/// Without arguments, template arguments and return type: "DBImpl::Get".
std::string short_function(const std::string& function);

}  // namespace hemlock::profile
