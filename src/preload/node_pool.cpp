#include "preload/node_pool.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "preload/message.hpp"
#include "preload/word_lock.hpp"

namespace hemlock::preload::node_pool {
namespace {

struct cell {
  cell* next;
};

constinit std::atomic<std::uint32_t> guard{0};
constinit cell* free_cells = nullptr;
constexpr std::size_t page_bytes = 64 * 1024;

[[gnu::cold]] void add_page() noexcept {
  void* const page = ::mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) {
    say("no memory for a lock's queue");
    std::abort();
  }
  for (std::size_t offset = 0; offset < page_bytes; offset += cell_bytes) {
    auto* const one = reinterpret_cast<cell*>(static_cast<unsigned char*>(page) + offset);
    one->next = free_cells;
    free_cells = one;
  }
}

}  // namespace

void* take() noexcept {
  const word_guard held(guard);
  if (free_cells == nullptr) add_page();
  cell* const taken = free_cells;
  free_cells = taken->next;
  return taken;
}

void give(void* memory) noexcept {
  const word_guard held(guard);
  auto* const one = static_cast<cell*>(memory);
  one->next = free_cells;
  free_cells = one;
}

void start_anew() noexcept {
  guard.store(0, std::memory_order_relaxed);
  free_cells = nullptr;
}

}  // namespace hemlock::preload::node_pool
