// hemlock-table: Hemlock with a table of Grants per thread; a lock's address says which one it uses. Choose it where
// threads hold several contended locks at once: unless two of them share a Grant, waiting is local. Mitigations
// for multi-waiting.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a table         its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Grant  null            the mailbox is empty
//          a lock          this table's thread passes that lock on
//          written by its own thread in unlock, and emptied by the successor
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  All threads use the same entry for the same lock.
//   I3  Outside of unlock, a thread's own Grants are null.
//
// Orders
//   label       operation                  order    partner  if it were weaker
//   arrive      SWAP of Tail               acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                                   arrive   the successor reaches a table that is not yet made
//   arrive-not  CAS of Tail, failure       relaxed  -
//   take        CAS of Grant, success      acq_rel  pass     the predecessor's section is not seen;
//                                                   drained  the table's thread may end while we still write it
//   take-not    CAS of Grant, failure      relaxed  -
//   depart      CAS of Tail, success       release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure       relaxed  -
//   pass        store to Grant             release  take     our section is not seen by the successor
//   drained     fetch-and-add of 0, Grant  acquire  take     as the second half of `take`
//
// Promises: FIFO in the order of arrive. Lockout-free; unlock waits for the successor to answer. unlock never
// touches the lock after depart or pass, so the next holder may destroy it. Waiting is local as long as the
// contended locks that a thread holds fall on different entries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../world/order.hpp"
#include "lock_facade.hpp"

namespace hemlock {

/// A lock's place in a table of 2^Bits entries, by its address alone. Multiplied twice by 2^64 over the golden ratio, with
/// a fold between: once alone leaves some regular distances between locks badly spread.
template <unsigned Bits>
constexpr std::size_t table_entry(std::uintptr_t address) noexcept {
  constexpr std::uint64_t golden = 0x9E37'79B9'7F4A'7C15U;
  std::uint64_t mixed = std::uint64_t{address} * golden;
  mixed = (mixed ^ (mixed >> 32)) * golden;
  return static_cast<std::size_t>(mixed >> (64 - Bits));
}

template <class World, unsigned Bits>
class hemlock_table_of : public lock_facade<hemlock_table_of<World, Bits>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  struct mailbox {
    atomic<const hemlock_table_of*> grant{nullptr};
  };

public:
  struct per_thread {
    static constexpr std::size_t payload_bytes = sizeof(mailbox) << Bits;
    padded<mailbox> entries[std::size_t{1} << Bits];
  };
  static constexpr lock_traits traits{
      .name = "hemlock-table",
      .summary = "a table of Grants per thread, indexed by the lock's address",
      .source = "Appendix: Mitigations for multi-waiting",
      .doorstep = "arrive",
      .hand_over = "pass",
      .fifo = true};

  constexpr hemlock_table_of() noexcept = default;

  void acquire() noexcept {
    per_thread& self = World::template self<per_thread>();
    World::expect([&] { return mine_in(self).load(order::look) == nullptr; });  // I3
    per_thread* const pred = tail_.exchange(&self, order::acq_rel<"arrive">);
    if (pred != nullptr) [[unlikely]]
      wait_behind(*pred);
  }

  [[nodiscard]] bool try_acquire() noexcept {
    per_thread* nobody = nullptr;
    return tail_.compare_exchange_strong(nobody, &World::template self<per_thread>(),
                                         order::acq_rel<"arrive">, order::relaxed<"arrive-not">);
  }

  void release() noexcept {
    per_thread& self = World::template self<per_thread>();
    World::expect([&] { return mine_in(self).load(order::look) == nullptr; });  // I3
    per_thread* last = &self;
    // Strong: a spurious failure would look like a successor, who then never answers.
    if (!tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(self);
    }
  }

private:
  atomic<const hemlock_table_of*>& mine_in(per_thread& table) const noexcept {  // I2
    return table.entries[table_entry<Bits>(reinterpret_cast<std::uintptr_t>(this))].grant;
  }

  [[gnu::cold, gnu::noinline]] void wait_behind(per_thread& pred) noexcept {
    auto& grant = mine_in(pred);
    typename World::spinner wait;
    for (const hemlock_table_of* mine = this;
         !grant.compare_exchange_strong(mine, nullptr, order::acq_rel<"take">, order::relaxed<"take-not">);
         mine = this)
      wait.pause();
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    auto& grant = mine_in(self);
    grant.store(this, order::release<"pass">);
    typename World::spinner wait;
    while (grant.fetch_add(0, order::acquire<"drained">) != nullptr) wait.pause();  // I3
  }

  atomic<per_thread*> tail_{nullptr};
};

/// The paper's "say, 64 elements".
template <class World>
using hemlock_table = hemlock_table_of<World, 6>;

}  // namespace hemlock
