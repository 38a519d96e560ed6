#include "sim/arena.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace hemlock::sim {
namespace {

std::size_t rounded(std::size_t bytes) {
  return (bytes + block_alignment - 1) / block_alignment * block_alignment;
}

void* map_at(void* where, int flags) {
  return ::mmap(where, arena::reserved, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

}  // namespace

arena::arena() {
  // In the middle of nowhere: far from the program, the heap and the libraries, and from what sanitizers use.
  // No lock's address has a low half of zero: hemlock-futex cannot park on such a one.
  void* const wanted = reinterpret_cast<void*>(std::uintptr_t{0x7e80'1000'0000});
  void* memory = map_at(wanted, MAP_FIXED_NOREPLACE);
  if (memory == MAP_FAILED) memory = map_at(nullptr, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(memory);
}

arena::~arena() {
  ::munmap(base_, reserved);
}

void* arena::take(pool& from, std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  if (auto& unused = from.free[size]; !unused.empty()) {
    void* const block = unused.back();
    unused.pop_back();
    std::memset(block, 0, size);
    return block;
  }
  if (from.used + size > region) throw std::bad_alloc();
  void* const block = base_ + from.begin + from.used;
  from.used += size;
  return block;
}

void arena::give(pool& to, void* block, std::size_t bytes) {
  to.free[rounded(bytes)].push_back(block);
}

void arena::clear(pool& which) {
  // Much memory is given back to the system, which zeroes it more cheaply than we do.
  constexpr std::size_t worth_unmapping = std::size_t{1} << 20;
  if (which.used > worth_unmapping)
    ::madvise(base_ + which.begin, which.used, MADV_DONTNEED);
  else
    std::memset(base_ + which.begin, 0, which.used);
  which.used = 0;
  which.free.clear();
}

void arena::reset() {
  clear(blocks_);
  clear(nodes_);
}

}  // namespace hemlock::sim
