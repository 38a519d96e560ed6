// Linux's futex, on the low half of a word of any size.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>

namespace hemlock {

/// The 32 bits the kernel looks at: all of a 4-byte word, the low half of an 8-byte one.
template <class T>
std::uint32_t* futex_address(const std::atomic<T>& word) noexcept {
  static_assert(sizeof(std::atomic<T>) == sizeof(T) && (sizeof(T) == 4 || sizeof(T) == 8));
  auto* half = reinterpret_cast<std::uint32_t*>(const_cast<std::atomic<T>*>(&word));
  return sizeof(T) == 8 && std::endian::native == std::endian::big ? half + 1 : half;
}

template <class T>
std::uint32_t futex_value(T value) noexcept {
  if constexpr (std::is_pointer_v<T>)
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(value));
  else
    return static_cast<std::uint32_t>(value);
}

/// What ended a wait: 0 for a wake-up, else the errno (EAGAIN: the word differed; EINTR; ETIMEDOUT).
/// `deadline` is absolute, on CLOCK_MONOTONIC or, if `realtime`, CLOCK_REALTIME.
inline int futex_wait(std::uint32_t* address, std::uint32_t expected, const timespec* deadline = nullptr,
                      bool realtime = false) noexcept {
  const int saved_errno = errno;
  const int operation = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | (realtime ? FUTEX_CLOCK_REALTIME : 0);
  const long result =
      ::syscall(SYS_futex, address, operation, expected, deadline, nullptr, FUTEX_BITSET_MATCH_ANY);
  const int outcome = result == 0 ? 0 : errno;
  errno = saved_errno;
  return outcome;
}

/// Wakes up to `count` waiters and says how many there were. The address may already belong to somebody
/// else: a futex word is only a name here, and a stranger's wake-up is spurious, never harmful.
inline int futex_wake(const void* address, int count) noexcept {
  const int saved_errno = errno;
  const long woken =
      ::syscall(SYS_futex, address, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, nullptr, nullptr, 0);
  errno = saved_errno;
  return woken < 0 ? 0 : static_cast<int>(woken);
}

}  // namespace hemlock
