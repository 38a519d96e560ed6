#include "profile/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <type_traits>

namespace hemlock::profile {
namespace {

constexpr const char* names[record_kinds + 1] = {"",      "locks",   "histograms", "stacks", "shares",
                                                 "edges", "threads", "modules",    "clues"};

/// Text from the file ends somewhere, whatever the file says.
template <std::size_t Size>
void end_text(char (&text)[Size]) {
  text[Size - 1] = '\0';
}

struct tally {
  std::size_t kept = 0;
  std::size_t dropped = 0;
};

class parser {
public:
  explicit parser(std::string_view bytes) : bytes_{bytes} {}

  contents parse() {
    read_header();
    std::size_t at = header_bytes;
    std::uint32_t number = 1;
    for (; at + sizeof(block_header) <= bytes_.size(); at += block_bytes, ++number) read_block(at, number);
    if (number <= found_.header.blocks)
      warn("the file is cut short: {} of its {} blocks are missing; what they held is not shown",
           found_.header.blocks - number + 1, found_.header.blocks);
    drop_dangling();
    return std::move(found_);
  }

private:
  template <class... Arguments>
  void warn(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    if (found_.warnings.size() < 20)
      found_.warnings.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  void read_header() {
    if (bytes_.size() < sizeof file_magic || std::memcmp(bytes_.data(), file_magic, sizeof file_magic) != 0)
      throw bad_profile{"not a profile: `hemlock profile -- PROGRAM` makes one"};
    file_header& header = found_.header;
    std::memcpy(&header, bytes_.data(), std::min(bytes_.size(), sizeof header));
    if (bytes_.size() >= offsetof(file_header, header_size) && header.version != format_version)
      throw bad_profile{fmt::format(
          "a profile of format {}, and this hemlock reads format {}: use the version that recorded it",
          header.version, format_version)};
    if (bytes_.size() < header_bytes)
      throw bad_profile{"the profile is cut short within its header: nothing is left"};
    end_text(header.tool_version);
    end_text(header.lock);
    end_text(header.wait);
    end_text(header.program);
    end_text(header.command);
    if (header.header_size != header_bytes || header.block_size != block_bytes)
      warn("the header is damaged: its sizes are wrong, the usual ones are assumed");
    else if (header.start_check != check_of(header))
      warn("the header is damaged: what it says of the program may be wrong");
  }

  void read_block(std::size_t at, std::uint32_t number) {
    block_header block;
    std::memcpy(&block, bytes_.data() + at, sizeof block);
    const std::size_t there = std::min(block_bytes, bytes_.size() - at);
    const auto kind = static_cast<std::uint32_t>(block.kind);
    if (block.magic == 0 && number > found_.header.blocks)
      return;  // reserved when the program died, not used
    if (block.magic != block_magic || kind == 0 || kind > record_kinds) {
      warn("block {} is damaged: its beginning cannot be understood, it is left out", number);
      return;
    }
    const std::size_t used = std::min<std::size_t>(block.used, block_bytes);
    if (there < used) warn("the file is cut short in block {} ({})", number, names[kind]);
    const bool closed = found_.header.state == file_state::closed;
    const bool damaged = closed && there == block_bytes &&
                         crc32(reinterpret_cast<const unsigned char*>(bytes_.data()) + at + sizeof block,
                               block_bytes - sizeof block) != block.crc;
    const std::size_t end = at + std::min(used, there);
    const std::size_t begin = at + sizeof block;
    tally sum;
    switch (block.kind) {
      case record_kind::lock:
        sum =
            read_records<lock_record>(begin, end, [&](place p, auto& one) { found_.locks.emplace(p, one); });
        break;
      case record_kind::histogram:
        sum = read_records<histogram_record>(begin, end,
                                             [&](place p, auto& one) { found_.histograms.emplace(p, one); });
        break;
      case record_kind::stack:
        sum = read_records<stack_record>(begin, end,
                                         [&](place p, auto& one) { found_.stacks.emplace(p, one); });
        break;
      case record_kind::share:
        sum = read_records<share_record>(begin, end, [&](place, auto& one) { found_.shares.push_back(one); });
        break;
      case record_kind::edge:
        sum = read_records<edge_record>(begin, end, [&](place, auto& one) { found_.edges.push_back(one); });
        break;
      case record_kind::thread:
        sum = read_records<thread_record>(begin, end, [&](place p, auto& one) {
          end_text(one.name);
          found_.threads.emplace(p, one);
        });
        break;
      case record_kind::module:
        sum = read_records<module_record>(begin, end, [&](place, auto& one) {
          end_text(one.path);
          one.build_id_size = std::min(one.build_id_size, static_cast<std::uint32_t>(sizeof one.build_id));
          found_.modules.emplace(one.number, one);
        });
        break;
      case record_kind::clue:
        sum =
            read_records<clue_record>(begin, end, [&](place p, auto& one) { found_.clues.emplace(p, one); });
        break;
    }
    if (damaged)
      warn("block {} ({}) is damaged: {} records are left out, numbers in the other {} may be wrong", number,
           names[kind], sum.dropped, sum.kept);
    else if (sum.dropped > (closed ? 0U : 4U))  // a program that was killed may have been making a few
      warn("block {} ({}): {} of {} records are not whole and left out", number, names[kind], sum.dropped,
           sum.kept + sum.dropped);
  }

  template <class Record, class Keep>
  tally read_records(std::size_t begin, std::size_t end, Keep keep) {
    tally sum;
    for (; begin + sizeof(Record) <= end; begin += sizeof(Record)) {
      Record one;
      std::memcpy(&one, bytes_.data() + begin, sizeof one);
      if constexpr (std::is_same_v<Record, stack_record>)
        if (one.depth > most_frames) one.check = 0;
      if constexpr (std::is_same_v<Record, clue_record>)
        if (one.count > most_clues) one.check = 0;
      if (one.check == 0 || one.check != check_of(one)) {
        ++sum.dropped;
        continue;
      }
      ++sum.kept;
      keep(static_cast<place>(begin / unit_bytes), one);
    }
    return sum;
  }

  /// What belongs to a lock that is missing says nothing.
  void drop_dangling() {
    const auto unknown = [&](place lock) { return found_.locks.count(lock) == 0; };
    std::erase_if(found_.shares, [&](const share_record& one) { return unknown(one.lock); });
    std::erase_if(found_.edges, [&](const edge_record& one) { return unknown(one.from) || unknown(one.to); });
  }

  std::string_view bytes_;
  contents found_;
};

}  // namespace

bool is_profile(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  char start[sizeof file_magic] = {};
  return file.read(start, sizeof start) && std::memcmp(start, file_magic, sizeof start) == 0;
}

contents parse_profile(std::string_view bytes) {
  return parser{bytes}.parse();
}

contents read_profile(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw bad_profile{fmt::format("{}: cannot be read: {}", path, std::strerror(errno))};
  const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  try {
    return parse_profile(bytes);
  } catch (const bad_profile& error) {
    throw bad_profile{fmt::format("{}: {}", path, error.what())};
  }
}

}  // namespace hemlock::profile
