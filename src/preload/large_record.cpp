#include "preload/large_record.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "preload/message.hpp"
#include "preload/word_lock.hpp"

namespace hemlock::preload::large_record {
namespace {

/// Before the record, on a page of its own, so that the record is not written to.
struct header {
  header* next;
};
constexpr std::size_t page = 4096;

constinit std::atomic<std::uint32_t> guard{0};
constinit header* spare = nullptr;

}  // namespace

void* take() noexcept {
  {
    const word_guard held(guard);
    if (header* const one = spare; one != nullptr) {
      spare = one->next;
      return reinterpret_cast<unsigned char*>(one) + page;
    }
  }
  // Pages that a record does not use are never touched, and cost nothing.
  void* const memory = ::mmap(nullptr, page + most_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    say("no memory for a thread's record");
    std::abort();
  }
  return static_cast<unsigned char*>(memory) + page;
}

void give(void* record) noexcept {
  const word_guard held(guard);
  auto* const one = reinterpret_cast<header*>(static_cast<unsigned char*>(record) - page);
  one->next = spare;
  spare = one;
}

void start_anew() noexcept {
  guard.store(0, std::memory_order_relaxed);
  spare = nullptr;
}

}  // namespace hemlock::preload::large_record
