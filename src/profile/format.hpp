// The profile file: all that the recorder, inside the program, and the analyser, outside, know of each other.
//
//   header   4 KiB. The first part is written once and checked by `start_check`; the rest counts on.
//   blocks   64 KiB each, one kind of record in each. A record never moves, so it is named by its place: its
//            distance from the file's beginning in units of 64 bytes, which 0 (the header) never is.
//
// The recorder maps the file and writes into it in place, so what it recorded is there however the program
// ends. Every record carries a check over the fields that name it, written last: a record that was being made
// when the program died, or that was damaged, is recognised and left out. When the program ends by itself,
// `state` becomes closed and every block gets a CRC-32 of its contents, so that damaged numbers are told, too.
//
// Times are nanoseconds; instants count from the recorder's start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "profile/histogram.hpp"

namespace hemlock::profile {

inline constexpr char file_magic[8] = {'H', 'E', 'M', 'P', 'R', 'O', 'F', '\n'};
inline constexpr std::uint32_t format_version = 1;

inline constexpr std::size_t unit_bytes = 64;
inline constexpr std::size_t header_bytes = 4096;
inline constexpr std::size_t block_bytes = 65536;
inline constexpr std::uint32_t block_magic = 0x4b4c4248;

/// A record's place in the file, in units; 0 is none.
using place = std::uint32_t;

enum class record_kind : std::uint32_t { lock = 1, histogram, stack, share, edge, thread, module, clue };
inline constexpr std::size_t record_kinds = 8;

/// Why something is missing, each counted.
struct losses {
  std::uint64_t locks;         ///< found no room: their acquisitions are in `acquisitions`
  std::uint64_t acquisitions;  ///< of those locks
  std::uint64_t histograms;    ///< locks that have totals only
  std::uint64_t stacks;
  std::uint64_t shares;
  std::uint64_t edges;
  std::uint64_t threads;
  std::uint64_t blocks;  ///< times the file could not grow: no space, or a limit
};

enum class file_state : std::uint32_t { open = 0, closed = 1 };

struct file_header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_size;
  std::uint32_t block_size;
  std::uint32_t start_check;  ///< check_of() from start_wall to losses
  std::uint64_t start_wall;   ///< since 1970
  std::uint64_t start_clock;  ///< CLOCK_MONOTONIC
  std::uint32_t process;
  std::uint32_t parent;
  std::uint32_t sample;  ///< one hold in so many is timed
  std::uint32_t cpus;
  char tool_version[16];
  char lock[32];
  char wait[16];
  char program[512];   ///< the executable's path
  char command[1024];  ///< the arguments, a zero byte after each
  // From here on counted while the program runs.
  losses lost;
  std::uint64_t end;  ///< the last instant of which the recorder knows
  file_state state;
  std::uint32_t blocks;  ///< how many follow the header
};
static_assert(sizeof(file_header) <= header_bytes && std::is_trivially_copyable_v<file_header>);

struct alignas(unit_bytes) block_header {
  std::uint32_t magic;
  record_kind kind;
  std::uint32_t used;  ///< bytes, this header included; may say more than fits: then the block is full
  std::uint32_t crc;   ///< of what follows this header, once the file is closed
};

/// A mutex; or several that lived one after another at the same address and were first taken at the same site.
struct alignas(unit_bytes) lock_record {
  // The holder's line.
  std::uint64_t address;
  std::uint64_t acquisitions;
  std::uint64_t next_sample;  ///< the acquisition whose hold is timed next
  std::uint64_t queue;  ///< waiters in the upper 16 bits, below them the sum that queue_word.hpp explains
  std::uint64_t mark;   ///< what `queue` came to when the holder took the lock
  std::uint64_t owner_changes;
  place owner;  ///< the last holder's thread
  place site;   ///< stack of the first acquisition
  std::uint32_t sample_gap;
  std::uint32_t check;
  // Times.
  std::uint64_t contended;
  std::uint64_t wait;
  std::uint64_t longest_wait;
  std::uint64_t hold;          ///< of the timed holds, each multiplied by the acquisitions it stands for
  std::uint64_t hold_weight;   ///< the acquisitions that the timed holds stand for
  std::uint64_t longest_hold;  ///< among the timed
  std::uint64_t blamed;        ///< waiting during which somebody held the lock; the rest is hand-over
  std::uint64_t origin;        ///< the address as frame(): module and offset
  // The rest.
  std::uint64_t try_failures;
  std::uint64_t timeouts;
  std::uint64_t condition_waits;
  std::uint64_t condition_time;
  std::uint32_t longest_queue;
  place last_waiter;
  place wait_histogram;
  place hold_histogram;
  std::uint32_t lives;  ///< mutexes that this record stands for
  std::uint32_t kind;   ///< pthread_mutex_t's
  place clue;           ///< for a mutex in no variable
  std::uint32_t unused;
};
static_assert(sizeof(lock_record) == 3 * unit_bytes && offsetof(lock_record, contended) == unit_bytes);

struct alignas(unit_bytes) histogram_record {
  place lock;
  std::uint32_t check;
  std::uint64_t unused[7];
  std::uint64_t counts[bucket_count];
};
static_assert(sizeof(histogram_record) == 20 * unit_bytes);

inline constexpr std::size_t most_frames = 30;

/// Innermost first. A frame is a return address: the module's number in the upper 16 bits (0: unknown), the
/// offset from its load address below.
struct alignas(unit_bytes) stack_record {
  std::uint64_t hash;
  std::uint32_t depth;
  std::uint32_t check;
  std::uint64_t frames[most_frames];
};
static_assert(sizeof(stack_record) == 4 * unit_bytes);

constexpr std::uint64_t frame(std::uint64_t module, std::uint64_t offset) noexcept {
  return module << 48 | (offset & 0xffff'ffff'ffffU);
}
constexpr std::uint32_t module_of(std::uint64_t frame) noexcept {
  return static_cast<std::uint32_t>(frame >> 48);
}
constexpr std::uint64_t offset_of(std::uint64_t frame) noexcept {
  return frame & 0xffff'ffff'ffffU;
}

enum class share_role : std::uint32_t {
  waiter = 1,  ///< waited there; `time` is how long
  blamed,  ///< released the lock there while others waited; `time` is how long they all waited for this hold
  holder,  ///< released the lock there after a timed hold; weighted as lock_record::hold
};

/// What one stack has to do with one lock.
struct alignas(unit_bytes) share_record {
  place lock;
  place stack;
  share_role role;
  std::uint32_t check;
  std::uint64_t count;
  std::uint64_t time;
  std::uint64_t longest;
  std::uint64_t unused[3];
};
static_assert(sizeof(share_record) == unit_bytes);

/// `to` was asked for while `from` was held.
struct alignas(unit_bytes) edge_record {
  place from;
  place to;
  place stack;  ///< where, the first time
  std::uint32_t check;
  std::uint64_t count;
  place thread;                   ///< who, the first time
  std::uint32_t several_threads;  ///< 1: others did so, too
  place guard;                    ///< a third lock held every time; 0: none
  std::uint32_t unused[5];
};
static_assert(sizeof(edge_record) == unit_bytes);

inline constexpr std::size_t most_followed = 18;

struct alignas(unit_bytes) thread_record {
  std::uint32_t id;
  std::uint32_t check;
  char name[16];
  std::uint32_t most_held;       ///< locks at once
  std::uint32_t most_followers;  ///< threads that waited directly behind this one at once: on its Grant
  std::uint32_t followers;       ///< now
  std::uint32_t unused;
  std::uint64_t nested_calls;     ///< calls to lock with another lock held
  std::uint64_t last_nested;      ///< when the last of them was
  place followed[most_followed];  ///< locks for which somebody waits directly behind this thread, now
};
static_assert(sizeof(thread_record) == 2 * unit_bytes);

struct alignas(unit_bytes) module_record {
  std::uint32_t number;
  std::uint32_t check;
  std::uint64_t load_address;  ///< what the addresses in the ELF file were moved by
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t build_id_size;
  unsigned char build_id[28];
  char path[448];
};
static_assert(sizeof(module_record) == 8 * unit_bytes);

/// A pointer into the memory before a mutex, seen in a frame of the stack that first took it. If debug information
/// has a variable of a class there, `this` perhaps, and that class has a mutex so far from its beginning, then the
/// mutex has a name.
struct clue {
  std::uint16_t frame;  ///< of the lock's site, 0 the innermost
  std::int16_t
      where;  ///< a register by its DWARF number; negative: on the stack, from the canonical frame address
  std::uint32_t past;  ///< the mutex's address less the pointer
};
inline constexpr std::size_t most_clues = 14;

struct alignas(unit_bytes) clue_record {
  place lock;
  std::uint32_t check;
  std::uint32_t count;
  std::uint32_t unused;
  clue clues[most_clues];
};
static_assert(sizeof(clue_record) == 2 * unit_bytes);

/// FNV-1a, folded. Tells a record that was written whole from one that was not.
constexpr std::uint32_t mixed(std::uint64_t hash, std::uint64_t value) noexcept {
  for (int i = 0; i < 8; ++i, value >>= 8) hash = (hash ^ (value & 0xff)) * 0x100000001b3U;
  return static_cast<std::uint32_t>(hash ^ hash >> 32) |
         1U;  // never 0, which is a record that was not finished
}
inline constexpr std::uint64_t check_seed = 0xcbf29ce484222325U;

constexpr std::uint32_t check_of(const lock_record& one) noexcept {
  return mixed(mixed(check_seed, one.address), one.origin);
}
constexpr std::uint32_t check_of(const histogram_record& one) noexcept {
  return mixed(check_seed ^ 2, one.lock);
}
constexpr std::uint32_t check_of(const stack_record& one) noexcept {
  std::uint32_t check = mixed(check_seed ^ 3, one.depth);
  for (std::size_t i = 0; i < one.depth && i < most_frames; ++i) check = mixed(check, one.frames[i]);
  return check;
}
constexpr std::uint32_t check_of(const share_record& one) noexcept {
  return mixed(mixed(check_seed ^ 4, std::uint64_t{one.lock} << 32 | one.stack),
               static_cast<std::uint64_t>(one.role));
}
constexpr std::uint32_t check_of(const edge_record& one) noexcept {
  return mixed(check_seed ^ 5, std::uint64_t{one.from} << 32 | one.to);
}
constexpr std::uint32_t check_of(const thread_record& one) noexcept {
  return mixed(check_seed ^ 6, one.id);
}
constexpr std::uint32_t check_of(const module_record& one) noexcept {
  std::uint32_t check = mixed(check_seed ^ 7, one.number);
  for (const char c : one.path) check = mixed(check, static_cast<unsigned char>(c));
  return mixed(check, one.load_address);
}
constexpr std::uint32_t check_of(const clue_record& one) noexcept {
  std::uint32_t check = mixed(check_seed ^ 8, std::uint64_t{one.lock} << 32 | one.count);
  for (std::size_t i = 0; i < one.count && i < most_clues; ++i)
    check = mixed(check, std::uint64_t{one.clues[i].frame} << 48 |
                             std::uint64_t{static_cast<std::uint16_t>(one.clues[i].where)} << 32 |
                             one.clues[i].past);
  return check;
}
inline std::uint32_t check_of(const file_header& one) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&one);
  std::uint32_t check = mixed(check_seed, format_version);
  for (std::size_t i = offsetof(file_header, start_wall); i < offsetof(file_header, lost); ++i)
    check = mixed(check, bytes[i]);
  return check;
}

template <class Record>
inline constexpr record_kind kind_of = record_kind{};
template <>
inline constexpr record_kind kind_of<lock_record> = record_kind::lock;
template <>
inline constexpr record_kind kind_of<histogram_record> = record_kind::histogram;
template <>
inline constexpr record_kind kind_of<stack_record> = record_kind::stack;
template <>
inline constexpr record_kind kind_of<share_record> = record_kind::share;
template <>
inline constexpr record_kind kind_of<edge_record> = record_kind::edge;
template <>
inline constexpr record_kind kind_of<thread_record> = record_kind::thread;
template <>
inline constexpr record_kind kind_of<module_record> = record_kind::module;
template <>
inline constexpr record_kind kind_of<clue_record> = record_kind::clue;

/// CRC-32 as in zlib, bit by bit through a table of sixteen: it runs once, when the program ends.
inline std::uint32_t crc32(const unsigned char* bytes, std::size_t size) noexcept {
  constexpr std::uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  std::uint32_t crc = ~0U;
  for (std::size_t i = 0; i < size; ++i) {
    crc = table[(crc ^ bytes[i]) & 15] ^ crc >> 4;
    crc = table[(crc ^ bytes[i] >> 4) & 15] ^ crc >> 4;
  }
  return ~crc;
}

}  // namespace hemlock::profile
