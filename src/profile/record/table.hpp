// A hash table of places beside the file: fixed in size, inserted into by many threads, never erased from.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "profile/format.hpp"

namespace hemlock::profile::record {

constexpr std::uint64_t scrambled(std::uint64_t key) noexcept {
  key = (key ^ key >> 33) * 0xff51afd7ed558ccdU;
  key = (key ^ key >> 33) * 0xc4ceb9fe1a85ec53U;
  return key ^ key >> 33;
}

/// The memory is reserved at once and used only where something is entered.
template <std::size_t Slots>
class place_table {
  static_assert((Slots & (Slots - 1)) == 0);
  static constexpr std::size_t most_probes = 64;

public:
  bool make() noexcept {
    if (slots_ != nullptr) return true;
    void* const memory = ::mmap(nullptr, Slots * sizeof(std::atomic<place>), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    slots_ = static_cast<std::atomic<place>*>(memory);
    return true;
  }
  /// In a child of fork.
  void forget() noexcept {
    if (slots_ != nullptr) ::munmap(slots_, Slots * sizeof(std::atomic<place>));
    slots_ = nullptr;
  }

  /// The place for which `is_it` is true; if there is none, that of a record which `make_it` makes and publishes.
  /// 0 if make_it gives 0 or the neighbourhood is full.
  template <class Is, class Make>
  place find_or_make(std::uint64_t hash, Is is_it, Make make_it) noexcept {
    place made = 0;
    for (std::size_t probe = 0; probe < most_probes; ++probe) {
      std::atomic<place>& slot = slots_[(hash + probe) & (Slots - 1)];
      place seen = slot.load(std::memory_order_acquire);  // with the release below: the record is whole
      if (seen == 0) {
        if (made == 0) made = make_it();
        if (made == 0) return 0;
        if (slot.compare_exchange_strong(seen, made, std::memory_order_acq_rel, std::memory_order_acquire))
          return made;
      }
      if (is_it(seen))
        return seen;  // also when another thread made the same at this moment: ours stays empty
    }
    return 0;
  }

private:
  std::atomic<place>* slots_ = nullptr;
};

}  // namespace hemlock::profile::record
