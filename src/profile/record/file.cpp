#include "profile/record/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "profile/record/guard.hpp"
#include "profile/record/say.hpp"

namespace hemlock::profile::record {
namespace {

/// Blocks of each kind, so that a program with millions of locks still has room for its stacks.
constexpr std::uint32_t most_blocks[record_kinds + 1] = {0, 1024, 512, 160, 256, 64, 64, 8, 64};
constexpr std::uint32_t most_blocks_in_all = 2152;
constexpr std::size_t mapping_bytes = header_bytes + most_blocks_in_all * block_bytes;

struct growing {
  std::atomic<std::uint32_t> block{0};  ///< the one being filled, counted from 1
  std::uint32_t blocks = 0;             ///< written with the guard held
  std::atomic<bool> full{false};
};
constinit growing tables[record_kinds + 1]{};
constinit std::atomic<std::uint32_t> grow_guard{0};
constinit char file_path[1024] = "";
constinit dev_t file_device = 0;
constinit ino_t file_number = 0;

block_header& block(std::uint32_t number) noexcept {
  return *reinterpret_cast<block_header*>(mapped.base + header_bytes + (number - 1) * block_bytes);
}

/// The kernel ends a process that writes past this limit by a signal, unless it is asked first.
bool is_allowed(off_t end) noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  if (static_cast<rlim_t>(end) <= limit.rlim_cur) return true;
  errno = EFBIG;
  return false;
}

/// Reserves the space, so that writing to the mapping cannot fail. File systems that cannot reserve get zeros.
bool reserve(int file, off_t from, off_t size) noexcept {
  if (!is_allowed(from + size)) return false;
  if (::fallocate(file, 0, from, size) == 0) return true;
  if (errno != EOPNOTSUPP) return false;
  static constexpr char zeros[4096] = {};
  for (off_t done = 0; done < size; done += static_cast<off_t>(sizeof zeros))
    if (::pwrite(file, zeros, sizeof zeros, from + done) != static_cast<ssize_t>(sizeof zeros)) return false;
  return true;
}

/// Our file again, or -1: it may have been removed, or replaced.
int reopened() noexcept {
  const int file = ::open(file_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return -1;
  struct stat facts {};
  if (::fstat(file, &facts) == 0 && facts.st_dev == file_device && facts.st_ino == file_number) return file;
  ::close(file);
  return -1;
}

bool reserve_block(std::uint32_t number) noexcept {
  const int file = reopened();
  if (file < 0) return false;
  const bool done = reserve(file, static_cast<off_t>(header_bytes + (number - 1) * block_bytes),
                            static_cast<off_t>(block_bytes));
  ::close(file);
  return done;
}

/// From now on nothing reaches the file but through what is returned: threads that still run, and were just writing,
/// write into a copy of their own. Null if that cannot be.
unsigned char* detach() noexcept {
  const int file = reopened();
  if (file < 0) return nullptr;
  const std::size_t size = header_bytes + header().blocks * block_bytes;
  void* const rest = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (rest != MAP_FAILED)
    ::mmap(mapped.base, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, file, 0);
  ::close(file);
  return rest == MAP_FAILED ? nullptr : static_cast<unsigned char*>(rest);
}

/// Replaces the block that was found full.
void grow(record_kind kind, std::uint32_t full_block) noexcept {
  const guard held(grow_guard);
  growing& table = tables[static_cast<std::size_t>(kind)];
  if (table.block.load(std::memory_order_relaxed) != full_block) return;
  const std::uint32_t number = header().blocks + 1;
  const int saved_errno = errno;
  if (mapped.limit.load(std::memory_order_relaxed) == 0) {
    table.full.store(true, std::memory_order_relaxed);  // the file is closed
  } else if (table.blocks == most_blocks[static_cast<std::size_t>(kind)] || !reserve_block(number)) {
    table.full.store(true, std::memory_order_relaxed);
    add(header().lost.blocks, 1);
  } else {
    block_header& fresh = block(number);
    fresh.magic = block_magic;
    fresh.kind = kind;
    std::atomic_ref(fresh.used).store(sizeof(block_header), std::memory_order_relaxed);
    header().blocks = number;
    ++table.blocks;
    table.block.store(number, std::memory_order_release);  // with take's acquire: it finds the header made
  }
  errno = saved_errno;
}

}  // namespace

bool open_file(const char* path, const file_header& start) noexcept {
  const int saved_errno = errno;
  int length = std::snprintf(file_path, sizeof file_path, "%s", path);
  int file = ::open(file_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST && length > 0 && length < static_cast<int>(sizeof file_path)) {
    // Another process of the same run was first: a parent, or a child that it started.
    length = std::snprintf(file_path, sizeof file_path, "%s.%u", path, start.process);
    ::unlink(file_path);
    file = ::open(file_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (file < 0 || length >= static_cast<int>(sizeof file_path)) {
    say("cannot write the profile %s: %s", file_path, std::strerror(file < 0 ? errno : ENAMETOOLONG));
    if (file >= 0) ::close(file);
    errno = saved_errno;
    return false;
  }
  struct stat facts {};
  ::fstat(file, &facts);
  file_device = facts.st_dev;
  file_number = facts.st_ino;
  void* memory = MAP_FAILED;
  if (reserve(file, 0, header_bytes))
    memory = ::mmap(nullptr, mapping_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED) say("cannot write the profile %s: %s", file_path, std::strerror(errno));
  ::close(file);
  if (memory != MAP_FAILED) {
    for (growing& table : tables) {
      table.block.store(0, std::memory_order_relaxed);
      table.blocks = 0;
      table.full.store(false, std::memory_order_relaxed);
    }
    mapped.base = static_cast<unsigned char*>(memory);
    std::memcpy(mapped.base, &start, sizeof start);
    // Release: who sees the limit sees the base. The hot path reads the limit first.
    mapped.limit.store(mapping_bytes / unit_bytes, std::memory_order_release);
  }
  errno = saved_errno;
  return memory != MAP_FAILED;
}

void close_file() noexcept {
  if (mapped.limit.exchange(0, std::memory_order_relaxed) == 0) return;
  const guard held(grow_guard);
  unsigned char* const rest = detach();
  unsigned char* const base = rest != nullptr ? rest : mapped.base;
  auto& start = *reinterpret_cast<file_header*>(base);
  for (std::uint32_t number = 1; number <= start.blocks; ++number) {
    auto& one = *reinterpret_cast<block_header*>(base + header_bytes + (number - 1) * block_bytes);
    one.crc = crc32(reinterpret_cast<const unsigned char*>(&one) + sizeof(block_header),
                    block_bytes - sizeof(block_header));
  }
  start.state = file_state::closed;
  if (rest != nullptr) ::munmap(rest, header_bytes + start.blocks * block_bytes);
}

void forget_file() noexcept {
  grow_guard.store(0, std::memory_order_relaxed);
  if (mapped.base == nullptr) return;
  mapped.limit.store(0, std::memory_order_relaxed);
  ::munmap(mapped.base, mapping_bytes);
  mapped.base = nullptr;
}

place take(record_kind kind, std::size_t bytes) noexcept {
  growing& table = tables[static_cast<std::size_t>(kind)];
  while (true) {
    const std::uint32_t number = table.block.load(std::memory_order_acquire);
    if (number != 0) {
      std::atomic_ref used(block(number).used);
      if (used.load(std::memory_order_relaxed) + bytes <= block_bytes) {
        const std::uint32_t from =
            used.fetch_add(static_cast<std::uint32_t>(bytes), std::memory_order_relaxed);
        if (from + bytes <= block_bytes)
          return static_cast<place>((header_bytes + (number - 1) * block_bytes + from) / unit_bytes);
      }
    }
    if (table.full.load(std::memory_order_relaxed)) return 0;
    grow(kind, number);
  }
}

}  // namespace hemlock::profile::record
