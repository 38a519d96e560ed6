// A profile file in memory, made by hand: three locks, their stacks, an inversion.
#pragma once

#include <cstring>
#include <string>

#include "profile/format.hpp"

namespace hemlock::profile {

class made_profile {
public:
  made_profile() {
    header_.version = format_version;
    header_.header_size = header_bytes;
    header_.block_size = block_bytes;
    std::memcpy(header_.magic, file_magic, sizeof file_magic);
    std::memcpy(header_.command, "prog\0arg", 9);
    std::memcpy(header_.lock, "mutex", 6);
    header_.sample = 61;
    header_.end = 2'000'000'000;
    header_.start_check = check_of(header_);
    bytes_.assign(header_bytes, '\0');
  }

  /// Each in a block of its own, so that any block can be damaged alone.
  template <class Record>
  place add(Record record) {
    const auto begin = bytes_.size();
    bytes_.resize(begin + block_bytes, '\0');
    block_header block{};
    block.magic = block_magic;
    block.kind = kind_of<Record>;
    block.used = sizeof block + sizeof record;
    record.check = check_of(record);
    std::memcpy(bytes_.data() + begin + sizeof block, &record, sizeof record);
    block.crc = crc32(reinterpret_cast<const unsigned char*>(bytes_.data()) + begin + sizeof block,
                      block_bytes - sizeof block);
    std::memcpy(bytes_.data() + begin, &block, sizeof block);
    ++header_.blocks;
    return static_cast<place>((begin + sizeof block) / unit_bytes);
  }

  place add_lock(std::uint64_t address, std::uint64_t wait) {
    lock_record lock{};
    lock.address = address;
    lock.origin = frame(0, address);
    lock.acquisitions = 100;
    lock.contended = wait == 0 ? 0 : 10;
    lock.wait = wait;
    return add(lock);
  }
  void add_edge(place from, place to, place thread, place guard = 0) {
    edge_record edge{};
    edge.from = from;
    edge.to = to;
    edge.count = 1;
    edge.thread = thread;
    edge.guard = guard;
    add(edge);
  }

  void close() { header_.state = file_state::closed; }
  file_header& header() { return header_; }

  std::string bytes() {
    std::memcpy(bytes_.data(), &header_, sizeof header_);
    return bytes_;
  }

private:
  file_header header_{};
  std::string bytes_;
};

}  // namespace hemlock::profile
