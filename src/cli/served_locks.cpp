#include "cli/served_locks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "hemlock/registry.hpp"
#include "hemlock/world/native.hpp"
#include "preload/objection.hpp"

namespace hemlock::cli {
namespace {

/// Null if it is served. `pthread` is: the library is loaded, and passes every mutex on to glibc.
const char* objection(const lock_facts& lock) {
  return lock.name == "pthread" ? nullptr : preload::objection(lock);
}

std::vector<lock_facts> all_facts() {
  std::vector<lock_facts> all;
  for_each_lock<native<waiting::automatic>>([&]<class Lock>() { all.push_back(facts_of<Lock>()); });
  return all;
}

}  // namespace

std::vector<std::string> served_locks() {
  std::vector<std::string> names;
  for (const auto& lock : all_facts())
    if (objection(lock) == nullptr) names.emplace_back(lock.name);
  return names;
}

void check_lock(const std::string& lock, const std::string& wait) {
  static constexpr std::string_view policies[] = {waiting::spin::name, waiting::yield::name,
                                                  waiting::park::name, waiting::automatic::name};
  if (!wait.empty() && std::find(std::begin(policies), std::end(policies), wait) == std::end(policies))
    throw usage_error{fmt::format("unknown waiting policy '{}'; known: {}", wait, fmt::join(policies, ", "))};
  if (lock == native_name) return;
  const auto all = all_facts();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const lock_facts& one) { return one.name == lock; });
  const char* const reason = found != all.end() ? objection(*found) : preload::objection(lock);
  if (reason != nullptr)
    throw usage_error{
        fmt::format("lock '{}' cannot live inside a pthread_mutex_t: {}. Those that can: {}, {}", lock,
                    reason, native_name, fmt::join(served_locks(), ", "))};
  if (found == all.end())
    throw usage_error{
        fmt::format("unknown lock '{}'; known: {}, {}", lock, native_name, fmt::join(served_locks(), ", "))};
  if (wait == waiting::park::name && !found->parks)
    throw usage_error{fmt::format("lock '{}' cannot park; its waiting policies: spin, yield, auto", lock)};
}

std::vector<std::string> parse_locks(const std::string& list, const std::string& wait) {
  std::vector<std::string> wanted;
  std::istringstream parts{list};
  for (std::string name; std::getline(parts, name, ',');) {
    if (name == "all") {
      wanted.emplace_back(native_name);
      for (auto& served : served_locks()) wanted.push_back(std::move(served));
    } else {
      wanted.push_back(name);
    }
  }
  std::vector<std::string> unique;
  for (auto& name : wanted) {
    check_lock(name, wait);
    if (std::find(unique.begin(), unique.end(), name) == unique.end()) unique.push_back(std::move(name));
  }
  if (unique.empty()) throw usage_error{"no lock named"};
  return unique;
}

}  // namespace hemlock::cli
