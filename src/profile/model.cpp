#include "profile/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "profile/order_graph.hpp"

namespace hemlock::profile {
namespace {

void merge(lock_view& into, const lock_record& one, place where) {
  into.records.push_back(where);
  if (into.address == 0) into.address = one.address;
  into.mutexes += std::max(one.lives, 1U);
  into.acquisitions += one.acquisitions;
  into.contended += one.contended;
  into.wait += one.wait;
  into.longest_wait = std::max(into.longest_wait, one.longest_wait);
  if (one.hold_weight > 0)
    into.hold +=
        static_cast<std::uint64_t>(static_cast<double>(one.hold) / static_cast<double>(one.hold_weight) *
                                   static_cast<double>(one.acquisitions));
  into.longest_hold = std::max(into.longest_hold, one.longest_hold);
  into.blamed += one.blamed;
  into.owner_changes += one.owner_changes;
  into.longest_queue = std::max<std::uint64_t>(into.longest_queue, one.longest_queue);
  into.try_failures += one.try_failures;
  into.timeouts += one.timeouts;
  into.condition_waits += one.condition_waits;
  into.condition_time += one.condition_time;
}

void add_histogram(const contents& file, place where, place lock, histogram& into) {
  const auto found = file.histograms.find(where);
  if (found == file.histograms.end() || found->second.lock != lock) return;
  for (std::size_t i = 0; i < bucket_count; ++i) into[i] += found->second.counts[i];
}

void add_part(std::vector<stack_part>& parts, const share_record& one) {
  for (auto& part : parts) {
    if (part.stack != one.stack) continue;
    part.count += one.count;
    part.time += one.time;
    part.longest = std::max(part.longest, one.longest);
    return;
  }
  parts.push_back({one.stack, one.count, one.time, one.longest});
}

void sort_parts(std::vector<stack_part>& parts) {
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::tie(b.time, a.stack) < std::tie(a.time, b.stack);
  });
}

std::vector<code_frame> named(const stack_record& stack, symbolizer& names) {
  std::vector<code_frame> frames;
  for (std::uint32_t i = 0; i < stack.depth; ++i)
    for (auto& one : names.code(stack.frames[i])) frames.push_back(std::move(one));
  return frames;
}

/// A function of a class that is itself a lock, or a guard of one: Mutex::Lock, MutexLock::~MutexLock.
bool is_method_of_a_lock(const std::string& function) {
  const std::string name = short_function(function);
  const auto method_at = name.rfind("::");
  if (method_at == std::string::npos || method_at == 0) return false;
  const auto class_at = name.rfind("::", method_at - 1);
  const std::string type = name.substr(class_at == std::string::npos ? 0 : class_at + 2,
                                       method_at - (class_at == std::string::npos ? 0 : class_at + 2));
  const std::string method = name.substr(method_at + 2);
  const auto ends = [&](std::string_view end) { return type.ends_with(end); };
  if (!ends("mutex") && !ends("Mutex") && !ends("Lock") && !ends("lock") && !ends("Locker") &&
      !ends("Guard") && !ends("guard"))
    return false;
  if (method == type || method == '~' + type) return true;
  for (const char* const one : {"lock", "Lock", "unlock", "Unlock", "try_lock", "TryLock", "acquire",
                                "Acquire", "release", "Release", "enter", "leave"})
    if (method == one) return true;
  return false;
}

/// Around pthread_mutex_lock, whosever program it is.
bool is_wrapper(const code_frame& frame) {
  const std::string_view name = frame.function;
  for (const char* const prefix : {"std::", "__gthread", "__gnu_cxx::", "pthread_", "void std::"})
    if (name.starts_with(prefix)) return true;
  return is_method_of_a_lock(frame.function);
}

std::string command_text(const file_header& header) {
  std::string text;
  for (std::size_t i = 0; i + 1 < sizeof header.command && header.command[i] != '\0';) {
    const std::string_view word{header.command + i};
    if (!text.empty()) text += ' ';
    text += word;
    i += word.size() + 1;
  }
  return text.empty() ? header.program : text;
}

void tell_losses(const losses& lost, std::vector<std::string>& warnings) {
  if (lost.locks > 0)
    warnings.push_back(
        fmt::format("{} mutexes found no room in the file; their {} acquisitions are not in the tables",
                    lost.locks, lost.acquisitions));
  if (lost.histograms > 0)
    warnings.push_back(
        fmt::format("{} mutexes have totals but no histogram: the file was full", lost.histograms));
  if (lost.stacks > 0) warnings.push_back(fmt::format("{} times a stack found no room", lost.stacks));
  if (lost.shares > 0)
    warnings.push_back(
        fmt::format("{} times who waited or held could not be noted: the file was full", lost.shares));
  if (lost.edges > 0)
    warnings.push_back(
        fmt::format("{} nested acquisitions are not in the lock order: the file was full", lost.edges));
  if (lost.threads > 0)
    warnings.push_back(fmt::format("{} threads found no room; they are counted as one", lost.threads));
}

class builder {
public:
  builder(const contents& file, grouping by_what, order_by order)
      : file_{file}, by_what_{by_what}, order_{order}, names_{file.modules} {}

  profile build() {
    made_.header = file_.header;
    made_.command = command_text(file_.header);
    made_.seconds = static_cast<double>(file_.header.end) / 1e9;
    made_.closed = file_.header.state == file_state::closed;
    made_.threads = file_.threads;
    for (const auto& [where, stack] : file_.stacks) made_.stacks.emplace(where, named(stack, names_));
    group_locks();
    add_shares();
    sort_locks();
    add_edges();
    add_threads();
    made_.warnings = file_.warnings;
    tell_losses(file_.header.lost, made_.warnings);
    for (const auto& complaint : names_.complaints()) made_.warnings.push_back(complaint);
    return std::move(made_);
  }

private:
  /// By the first function of the program's that has a name; but not past the library that it is in, since who called
  /// that knows nothing of its locks.
  std::string site_of(const lock_record& one) {
    const auto [known, fresh] = sites_.try_emplace(one.site);
    const auto raw = file_.stacks.find(one.site);
    if (!fresh || raw == file_.stacks.end()) return known->second;
    std::vector<code_frame> near;
    std::uint32_t module = 0;
    bool begun = false;
    for (std::uint32_t i = 0; i < raw->second.depth; ++i) {
      if (begun && module_of(raw->second.frames[i]) != module) break;
      for (auto& each : names_.code(raw->second.frames[i])) {
        if (!begun && !is_wrapper(each)) {
          begun = true;
          module = module_of(raw->second.frames[i]);
        }
        near.push_back(std::move(each));
      }
    }
    if (const code_frame* const frame = named_frame(near)) known->second = frame_text(*frame);
    return known->second;
  }

  std::string member_of(const lock_record& one) {
    const auto stack = file_.stacks.find(one.site);
    const auto clues = file_.clues.find(one.clue);
    if (stack == file_.stacks.end() || clues == file_.clues.end()) return "";
    for (std::uint32_t i = 0; i < clues->second.count; ++i) {
      const clue& each = clues->second.clues[i];
      if (each.frame >= stack->second.depth) continue;
      if (auto name = names_.member(stack->second.frames[each.frame], each); !name.empty()) return name;
    }
    return "";
  }

  std::string name_of(const lock_record& one, const std::string& site) {
    if (module_of(one.origin) != 0)
      if (auto name = names_.data(one.origin); !name.empty()) return name;
    if (auto name = member_of(one); !name.empty()) return name;
    if (site.empty()) return fmt::format("mutex at {:#x}", one.address);
    return fmt::format("mutex of {}", site);
  }

  void group_locks() {
    std::map<std::string, std::size_t> groups;
    for (const auto& [where, one] : file_.locks) {
      // Two threads met the mutex at once, at different sites; the other's record became the mutex's.
      if (one.lives == 0 && one.acquisitions == 0 && one.contended == 0) continue;
      const std::string site = site_of(one);
      const std::string name = name_of(one, site);
      const bool heap = module_of(one.origin) == 0;
      const std::string key =
          by_what_ == grouping::site && heap && !site.empty() ? site : fmt::format("#{}", where);
      const auto [group, fresh] = groups.emplace(key, made_.locks.size());
      if (fresh) made_.locks.emplace_back();
      lock_view& lock = made_.locks[group->second];
      merge(lock, one, where);
      lock.name = name;
      lock.site = site;
      add_histogram(file_, one.wait_histogram, where, lock.waits);
      add_histogram(file_, one.hold_histogram, where, lock.holds);
      of_record_[where] = group->second;
    }
    for (auto& lock : made_.locks) {
      if (lock.acquisitions > 0)
        lock.mean_hold = static_cast<double>(lock.hold) / static_cast<double>(lock.acquisitions);
      made_.total_wait += lock.wait;
      made_.total_acquisitions += lock.acquisitions;
      made_.total_contended += lock.contended;
    }
    tell_apart();
  }

  /// Locks of the same name get their address behind it; sites, of which another run has the same, their place.
  void tell_apart() {
    std::map<std::string, int> uses;
    for (const auto& lock : made_.locks) ++uses[lock.name];
    for (auto& lock : made_.locks)
      if (uses[lock.name] > 1)
        lock.name +=
            by_what_ == grouping::site && !lock.site.empty() && lock.name.find(lock.site) == std::string::npos
                ? fmt::format(" of {}", lock.site)
                : fmt::format(" @{:x}", lock.address & 0xffffff);
  }

  void add_shares() {
    for (const auto& one : file_.shares) {
      lock_view& lock = made_.locks[of_record_.at(one.lock)];
      if (one.role == share_role::waiter) add_part(lock.waiters, one);
      if (one.role == share_role::blamed) add_part(lock.blamed_at, one);
      if (one.role == share_role::holder) add_part(lock.holders, one);
    }
    for (auto& lock : made_.locks) {
      sort_parts(lock.waiters);
      sort_parts(lock.blamed_at);
      sort_parts(lock.holders);
    }
  }

  void sort_locks() {
    std::stable_sort(made_.locks.begin(), made_.locks.end(), [&](const lock_view& a, const lock_view& b) {
      return std::pair{weight_of(a, order_), a.acquisitions} >
             std::pair{weight_of(b, order_), b.acquisitions};
    });
    for (std::size_t i = 0; i < made_.locks.size(); ++i)
      for (const place record : made_.locks[i].records) of_record_[record] = i;
  }

  /// Circles are looked for among the mutexes themselves: two of one site are two.
  void add_edges() {
    std::map<place, std::size_t> node_of;
    std::vector<place> record_of;
    const auto node = [&](place record) {
      const auto [at, fresh] = node_of.emplace(record, record_of.size());
      if (fresh) record_of.push_back(record);
      return at->second;
    };
    for (const auto& one : file_.edges)
      made_.edges.push_back({node(one.from), node(one.to), one.count, one.stack, one.thread,
                             one.several_threads != 0, one.guard});
    made_.cycles = find_cycles(made_.edges, record_of.size());
    for (auto& edge : made_.edges) {
      edge.from = of_record_.at(record_of[edge.from]);
      edge.to = of_record_.at(record_of[edge.to]);
    }
  }

  void add_threads() {
    made_.most_held = made_.locks.empty() ? 0 : 1;
    for (const auto& [where, thread] : made_.threads) {
      made_.nested_calls += thread.nested_calls;
      made_.last_nested = std::max(made_.last_nested, thread.last_nested);
      made_.most_held = std::max(made_.most_held, thread.most_held);
      made_.most_followers = std::max(made_.most_followers, thread.most_followers);
    }
  }

  const contents& file_;
  grouping by_what_;
  order_by order_;
  symbolizer names_;
  std::map<place, std::string> sites_;
  profile made_;
  std::map<place, std::size_t> of_record_;
};

}  // namespace

std::uint64_t weight_of(const lock_view& lock, order_by order) {
  switch (order) {
    case order_by::hold:
      return lock.hold;
    case order_by::contention:
      return lock.contended;
    case order_by::wait:
      break;
  }
  return lock.wait;
}

const code_frame* telling_frame(const std::vector<code_frame>& stack) {
  for (const auto& frame : stack)
    if (!is_wrapper(frame)) return &frame;
  return stack.empty() ? nullptr : &stack.front();
}

const code_frame* named_frame(const std::vector<code_frame>& stack) {
  for (const auto& frame : stack)
    if (!is_wrapper(frame) && frame.is_named) return &frame;
  return telling_frame(stack);
}

std::string frame_text(const code_frame& frame) {
  const std::string name = short_function(frame.function);
  return frame.file.empty() ? name : fmt::format("{} ({}:{})", name, frame.file, frame.line);
}

profile analyse(const contents& file, grouping by_what, order_by order) {
  return builder{file, by_what, order}.build();
}

profile load(const std::string& path, grouping by_what, order_by order) {
  profile made = analyse(read_profile(path), by_what, order);
  namespace fs = std::filesystem;
  const fs::path self{path};
  std::error_code ignored;
  const auto folder = self.has_parent_path() ? self.parent_path() : fs::path{"."};
  const std::string prefix = self.filename().string() + '.';
  for (const auto& entry : fs::directory_iterator{folder, ignored}) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || name.find_first_not_of("0123456789", prefix.size()) != std::string::npos)
      continue;
    if (is_profile(entry.path().string()))
      made.other_processes.push_back((self.parent_path() / name).string());
  }
  std::sort(made.other_processes.begin(), made.other_processes.end());
  return made;
}

}  // namespace hemlock::profile
