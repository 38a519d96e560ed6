// What a program file says about whether another library can be put before its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hemlock::cli {

struct elf_facts {
  bool is_elf = false;
  std::string script_interpreter;   ///< of "#!", if the file is a script
  bool dynamic = false;             ///< has a program interpreter: ld.so loads it
  std::string loader;               ///< that interpreter's path
  std::string machine;              ///< "x86-64", "AArch64", or a number
  bool ours = false;                ///< same machine and word size as this tool
  std::vector<std::string> needed;  ///< shared libraries it names
  bool calls_mutexes = false;       ///< imports pthread_mutex_lock or mtx_lock itself
  bool go = false;                  ///< built by the Go toolchain
};

/// Throws std::runtime_error when the file cannot be read.
elf_facts read_elf(const std::string& path);

/// As execvp would find it; nothing if it is nowhere.
std::optional<std::string> find_program(const std::string& name);

}  // namespace hemlock::cli
