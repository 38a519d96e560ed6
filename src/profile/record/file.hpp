// The recorder's end of the profile file: a mapping that grows by blocks, and records taken from it.
//
// No file descriptor is kept: programs close all they find, and its number would soon be somebody else's. To
// grow, the file is opened again by its path. Space is reserved on the disk before a block is touched, since a
// mapped page without space would kill the program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "profile/format.hpp"

namespace hemlock::profile::record {

/// What the hot path reads: in one cache line, written only when recording starts or ends.
struct alignas(64) mapping {
  unsigned char* base = nullptr;
  std::atomic<place> limit{0};  ///< places below may be looked at; 0: not recording
};
inline constinit mapping mapped{};

template <class Record>
[[gnu::always_inline]] inline Record& at(place where) noexcept {
  return *reinterpret_cast<Record*>(mapped.base + std::size_t{where} * unit_bytes);
}
template <class Record>
[[gnu::always_inline]] inline place place_of(const Record& record) noexcept {
  return static_cast<place>(
      static_cast<std::size_t>(reinterpret_cast<const unsigned char*>(&record) - mapped.base) / unit_bytes);
}

inline file_header& header() noexcept {
  return *reinterpret_cast<file_header*>(mapped.base);
}

/// Adds to a counter that any thread may write.
inline void add(std::uint64_t& counter, std::uint64_t amount) noexcept {
  std::atomic_ref(counter).fetch_add(amount, std::memory_order_relaxed);
}
/// Likewise for one that only the holder of the recorded lock, or only one thread, writes.
[[gnu::always_inline]] inline void add_alone(std::uint64_t& counter, std::uint64_t amount) noexcept {
  std::atomic_ref word(counter);
  word.store(word.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}
template <class Number>
void raise_to(Number& highest, Number value) noexcept {
  std::atomic_ref word(highest);
  Number seen = word.load(std::memory_order_relaxed);
  while (seen < value && !word.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

/// Makes the file and maps it. False: cannot be, and why was said.
bool open_file(const char* path, const file_header& start) noexcept;
/// Writes the checksums. Nothing is recorded afterwards.
void close_file() noexcept;
/// In a child of fork: the file is the parent's; there is none now.
void forget_file() noexcept;

/// A zeroed record, or 0 if the file is full.
place take(record_kind kind, std::size_t bytes) noexcept;

template <class Record>
place take() noexcept {
  return take(kind_of<Record>, sizeof(Record));
}

/// The record can be read by others: its names are written.
template <class Record>
void publish(Record& record) noexcept {
  // Release: whoever finds the record in a table finds it whole. The file's reader relies on the check itself.
  std::atomic_ref(record.check).store(check_of(record), std::memory_order_release);
}

}  // namespace hemlock::profile::record
