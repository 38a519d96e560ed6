// The locks that the preload library can put into a program, by the names that users type.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hemlock::cli {

/// The program as it is, without the preload library.
inline constexpr std::string_view native_name = "native";

/// A name or value that the user got wrong; its text lists the right ones. Exit code 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// In the registry's order: those that fit into a pthread_mutex_t and keep its promises.
std::vector<std::string> served_locks();

/// Throws usage_error unless `lock` is native or served, and `wait` is empty or a policy that it has.
void check_lock(const std::string& lock, const std::string& wait);

/// "a,b,c" or "all" (native and every served lock); each checked, doubles dropped.
std::vector<std::string> parse_locks(const std::string& list, const std::string& wait);

}  // namespace hemlock::cli
