#include "check/state.hpp"

#include <cstring>

namespace hemlock::check {
namespace {

// Two independent multiply-and-fold lanes over 8-byte words.
class hasher {
public:
  void add(std::uint64_t value) {
    first_ = fold(first_ ^ value, 0xa0761d6478bd642fU);
    second_ = fold(second_ + value, 0xe7037ed1a0b428dbU) ^ (value * 0x8ebc6af09c88c6e3U);
  }
  void add(const std::uint8_t* bytes, std::size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes, 8);
      add(word);
    }
    std::uint64_t rest = count;
    if (count > 0) {
      std::uint64_t tail = 0;
      std::memcpy(&tail, bytes, count);
      rest |= tail << 8U;
    }
    add(rest);
  }
  [[nodiscard]] state_key key() const { return {first_, second_}; }

private:
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t product = (a ^ (a >> 32U)) * b;
    return product ^ (product >> 29U);
  }
  std::uint64_t first_ = 0x243f6a8885a308d3U;
  std::uint64_t second_ = 0x13198a2e03707344U;
};

void add_view(hasher& hash, const memory& mem, const view& each) {
  hash.add(each.at.data(), mem.atoms.size());
  hash.add(each.seen.data(), mem.cells.size());
}

void add_memory(hasher& hash, const memory& mem) {
  hash.add(mem.atoms.size() << 16U | mem.cells.size());
  for (const auto& each : mem.atoms) {
    hash.add(each.where);
    hash.add(static_cast<std::uint64_t>(each.count) << 8U | each.sleep_floor);
  }
  for (const auto& each : mem.cells) {
    hash.add(each.where);
    hash.add(each.value);
    hash.add(static_cast<std::uint64_t>(each.bytes) << 8U | each.touched);
  }
  for (const auto& each : mem.messages) {
    hash.add(each.value);
    hash.add(static_cast<std::uint64_t>(each.rmw) |
             static_cast<std::uint64_t>(static_cast<std::uint16_t>(each.event)) << 8U);
    add_view(hash, mem, each.released);
  }
  for (const auto& each : mem.events) {
    hash.add(each.where);
    hash.add(static_cast<std::uint64_t>(each.kind) | static_cast<std::uint64_t>(each.thread) << 8U |
             static_cast<std::uint64_t>(each.order) << 16U |
             static_cast<std::uint64_t>(static_cast<std::uint16_t>(each.source)) << 32U);
    for (const std::uint64_t word : each.before) hash.add(word);
  }
  for (const auto& each : mem.monitors) {
    hash.add(each.where);
    hash.add(static_cast<std::uint8_t>(each.owner));
    add_view(hash, mem, each.released);
  }
}

}  // namespace

state_key key_of(const state& now, bool counts_preemptions) {
  hasher hash;
  add_memory(hash, now.mem);
  for (std::size_t i = 0; i < now.threads.size(); ++i) {
    const auto& thread = now.threads[i];
    const auto& sees = now.mem.threads[i];
    hash.add(static_cast<std::uint64_t>(thread.next.what) | static_cast<std::uint64_t>(thread.asleep) << 8U |
             static_cast<std::uint64_t>(thread.news) << 16U | static_cast<std::uint64_t>(thread.late) << 24U);
    if (thread.next.what == action::finished) continue;
    hash.add(thread.digest);
    hash.add(thread.next.where);
    add_view(hash, now.mem, sees.now);
    if (now.mem.uses_fences) {
      add_view(hash, now.mem, sees.pending);
      add_view(hash, now.mem, sees.fenced);
    }
    hash.add(thread.steps_in_iteration);
    if (thread.loop != 0 && thread.steps_in_iteration > 0) {
      hash.add(thread.loop);
      hash.add(thread.loop_digest);
      hash.add(thread.wrote);
      hash.add(thread.first_digest);
      for (const address each : thread.looked_at) hash.add(each);
      if (sees.has_saved) add_view(hash, now.mem, sees.saved);
    }
    for (const auto& each : thread.locks)
      hash.add(each.lock << 1U | static_cast<std::uint64_t>(each.leaving));
    for (const address each : thread.doorsteps_taken) hash.add(each);
  }
  hash.add(now.spurious_left);
  for (const auto& each : now.queue) hash.add(each.where << 3U | each.thread);
  if (counts_preemptions)
    hash.add(static_cast<std::uint64_t>(now.last_thread) << 8U | static_cast<std::uint64_t>(now.preemptions));
  return hash.key();
}

}  // namespace hemlock::check
