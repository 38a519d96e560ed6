#include "check/state.hpp"

#include <array>

namespace hemlock::check {
namespace {

/// A state's hash as it would be if the threads had changed places. Words and cells are added up, not chained, so that
/// their order, which is that of their addresses, does not matter.
class hasher {
public:
  hasher(const state& now, const symmetries& alike, std::size_t which, std::uint64_t seed)
      : now_(now), mem_(now.mem), alike_(alike), which_(which), seed_(seed) {
    for (std::size_t i = 0; i < mem_.atoms.size(); ++i)
      atom_[i] = mix(seed_, renamed(mem_.atoms[i].where)) | 1U;
    for (std::size_t i = 0; i < mem_.cells.size(); ++i)
      cell_[i] = mix(seed_ + (mem_.cells[i].bytes == 0 ? 1U : 2U), renamed(mem_.cells[i].where)) | 1U;
  }

  std::uint64_t hash(bool counts_preemptions) {
    std::uint64_t all = mix(seed_, now_.spurious_left);
    all = mix(all, words());
    all = mix(all, cells());
    all = mix(all, monitors());
    if (mem_.keeps_events) all = mix(all, events());
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < now_.threads.size(); ++t)
      sum += mix(mix(seed_, alike_.place(which_, t)), thread(t));
    all = mix(all, sum);
    for (const auto& each : now_.queue)
      all = mix(all, renamed(each.where) << 3U | alike_.place(which_, each.thread));
    if (counts_preemptions)
      all = mix(all, (now_.last_thread == 0xff ? 0xffU : alike_.place(which_, now_.last_thread)) << 8U |
                         static_cast<std::uint64_t>(now_.preemptions));
    return all;
  }

private:
  [[nodiscard]] std::uint64_t renamed(std::uint64_t value) const { return alike_.renamed(which_, value); }

  [[nodiscard]] std::uint64_t of(const view& each) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < mem_.atoms.size(); ++i) sum += atom_[i] * each.at[i];
    for (std::size_t i = 0; i < mem_.cells.size(); ++i) sum += cell_[i] * alike_.set(which_, each.seen[i]);
    return sum;
  }

  [[nodiscard]] std::uint64_t words() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < mem_.atoms.size(); ++i) {
      std::uint64_t one =
          mix(atom_[i], static_cast<std::uint64_t>(mem_.atoms[i].count) << 8U | mem_.atoms[i].sleep_floor);
      for (std::size_t k = 0; k < mem_.atoms[i].count; ++k) {
        const message& each = mem_.at(i, k);
        one = mix(one, renamed(each.value));
        one = mix(one, static_cast<std::uint64_t>(each.rmw) |
                           static_cast<std::uint64_t>(static_cast<std::uint16_t>(each.event)) << 8U);
        one = mix(one, of(each.released));
      }
      sum += one;
    }
    return sum;
  }
  [[nodiscard]] std::uint64_t cells() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < mem_.cells.size(); ++i) {
      const auto& each = mem_.cells[i];
      sum += mix(mix(cell_[i], renamed(each.value)),
                 static_cast<std::uint64_t>(each.bytes) << 8U | alike_.set(which_, each.touched));
    }
    return sum;
  }
  [[nodiscard]] std::uint64_t monitors() const {
    std::uint64_t sum = 0;
    for (const auto& each : mem_.monitors) {
      const std::uint64_t owner =
          each.owner < 0 ? 0xffU : alike_.place(which_, static_cast<std::size_t>(each.owner));
      sum += mix(mix(mix(seed_, renamed(each.where)), owner), of(each.released));
    }
    return sum;
  }
  [[nodiscard]] std::uint64_t events() const {
    std::uint64_t all = 0;
    for (const auto& each : mem_.events) {
      all = mix(all, each.where);
      all = mix(all, static_cast<std::uint64_t>(each.kind) | static_cast<std::uint64_t>(each.thread) << 8U |
                         static_cast<std::uint64_t>(each.order) << 16U |
                         static_cast<std::uint64_t>(static_cast<std::uint16_t>(each.source)) << 32U);
      for (const std::uint64_t word : each.before) all = mix(all, word);
    }
    return all;
  }

  [[nodiscard]] std::uint64_t thread(std::size_t t) const {
    const auto& self = now_.threads[t];
    const auto& sees = mem_.threads[t];
    std::uint64_t one = mix(seed_, static_cast<std::uint64_t>(self.next.what) |
                                       static_cast<std::uint64_t>(self.asleep) << 8U |
                                       static_cast<std::uint64_t>(self.news) << 16U |
                                       static_cast<std::uint64_t>(self.late) << 24U);
    if (self.next.what == action::finished) return one;
    one = mix(one, self.digest[which_]);
    one = mix(one, renamed(self.next.where));
    one = mix(one, of(sees.now));
    if (mem_.uses_fences) {
      one = mix(one, of(sees.pending));
      one = mix(one, of(sees.fenced));
    }
    one = mix(one, self.steps_in_iteration);
    if (self.loop != 0 && self.steps_in_iteration > 0) {
      one = mix(one, renamed(self.loop));
      one = mix(one, self.loop_digest[which_]);
      one = mix(one, static_cast<std::uint64_t>(self.wrote));
      one = mix(one, self.first_digest[which_]);
      for (const address each : self.looked_at) one = mix(one, renamed(each));
      if (sees.has_saved) one = mix(one, of(sees.saved));
    }
    for (const auto& each : self.locks)
      one = mix(one, renamed(each.lock) << 1U | static_cast<std::uint64_t>(each.leaving));
    for (const address each : self.doorsteps_taken) one = mix(one, renamed(each));
    return one;
  }

  const state& now_;
  const memory& mem_;
  const symmetries& alike_;
  std::size_t which_;
  std::uint64_t seed_;
  std::array<std::uint64_t, max_atoms> atom_{};
  std::array<std::uint64_t, max_cells> cell_{};
};

}  // namespace

state_key key_of(const state& now, const symmetries& alike, bool counts_preemptions) {
  std::uint64_t lowest = ~std::uint64_t{0};
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < alike.count(); ++i) {
    const std::uint64_t hash = hasher(now, alike, i, 0x243f6a8885a308d3U).hash(counts_preemptions);
    if (hash >= lowest) continue;
    lowest = hash;
    chosen = i;
  }
  return {lowest, hasher(now, alike, chosen, 0x13198a2e03707344U).hash(counts_preemptions)};
}

}  // namespace hemlock::check
