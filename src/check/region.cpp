#include "check/region.hpp"

#include <fmt/core.h>
#include <sys/mman.h>

#include <new>

namespace hemlock::check {
namespace {

constexpr std::size_t total_bytes =
    (max_threads + 1) * region::arena_bytes + max_threads * region::stack_bytes;
// Its low half is not zero, so that an address is not zero to those who look at 32 bits only.
constexpr std::uintptr_t preferred = 0x2000'1000'0000;

}  // namespace

region::region() {
  constexpr int protection = PROT_READ | PROT_WRITE;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* place =
      ::mmap(reinterpret_cast<void*>(preferred), total_bytes, protection, flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (place == MAP_FAILED) place = ::mmap(nullptr, total_bytes, protection, flags, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<char*>(place);
}

region& region::get() {
  static region& only = *new region;
  return only;
}

std::size_t region::stack_owner(std::uintptr_t where) const {
  const std::uintptr_t offset = where - address_of(stack(0));
  return offset < max_threads * stack_bytes ? offset / stack_bytes : max_threads;
}

std::size_t region::owner(std::uintptr_t where) const {
  const std::uintptr_t offset = where - address_of(arena(0));
  return offset < max_threads * arena_bytes ? offset / arena_bytes : stack_owner(where);
}

std::string region::name(std::uint64_t value) const {
  const std::uint64_t offset = value - address_of(base_);
  if (offset >= total_bytes) return value > 0xffff ? fmt::format("{:#x}", value) : fmt::format("{}", value);
  if (offset < arena_bytes) return fmt::format("shared+{:#x}", offset);
  if (offset < (max_threads + 1) * arena_bytes)
    return fmt::format("T{}+{:#x}", offset / arena_bytes - 1, offset % arena_bytes);
  const std::uint64_t below = address_of(stack(stack_owner(value))) + stack_bytes - value;
  return fmt::format("T{}:stack-{:#x}", stack_owner(value), below);
}

}  // namespace hemlock::check
