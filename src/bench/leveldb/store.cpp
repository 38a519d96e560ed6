#include "bench/leveldb/store.hpp"

#include <fmt/core.h>
#include <leveldb/db.h>
#include <signal.h>
#include <sys/statvfs.h>

#include <array>
#include <atomic>
#include <memory>
#include <random>

namespace hemlock::bench {
namespace {

constexpr std::size_t key_bytes = 16;
constexpr std::size_t value_bytes = 100;

using key_text = std::array<char, key_bytes + 1>;

leveldb::Slice key_of(std::uint64_t number, key_text& room) {
  const auto end = fmt::format_to_n(room.data(), key_bytes, "{:016}", number).out;
  return {room.data(), static_cast<std::size_t>(end - room.data())};
}

void require(const leveldb::Status& status, const std::string& directory) {
  if (status.ok()) return;
  const std::string text = status.ToString();
  if (text.find("File too large") != std::string::npos)
    throw store_failed(
        fmt::format("the limit on the size of files is too low for LevelDB ({}); raise it (ulimit -f), or "
                    "lower --entries",
                    text));
  if (text.find("No space left") != std::string::npos || text.find("quota exceeded") != std::string::npos)
    throw store_failed(
        fmt::format("the disk is full: LevelDB could not write to {} ({}); point TMPDIR to a disk "
                    "with room, or lower --entries",
                    directory, text));
  throw store_failed(fmt::format("LevelDB in {}: {}", directory, text));
}

/// Half of the value is random, the other half repeats it: db_bench's compression ratio of 0.5.
class value_source {
public:
  leveldb::Slice next() {
    for (std::size_t i = 0; i < value_bytes / 2; ++i)
      text_[i] = text_[i + value_bytes / 2] = static_cast<char>(printable_(chance_));
    return {text_.data(), text_.size()};
  }

private:
  std::mt19937 chance_{301};
  std::uniform_int_distribution<int> printable_{' ', '~'};
  std::array<char, value_bytes> text_{};
};

/// The log, its copy as tables, and a compaction under way may all be there at once.
void require_room(const std::string& directory, std::uint64_t entries) {
  struct statvfs disk {};
  if (::statvfs(directory.c_str(), &disk) != 0) return;  // what cannot be asked is found out by writing
  const std::uint64_t needed = 2 * entries * (key_bytes + value_bytes);
  const std::uint64_t room = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (room < needed)
    throw store_failed(
        fmt::format("the disk is full: {} has {} MB free, {} records need about {} MB; point TMPDIR "
                    "to a disk with room, or lower --entries",
                    directory, room >> 20, entries, (needed >> 20) + 1));
}

std::unique_ptr<leveldb::DB> open(const std::string& directory, bool create) {
  leveldb::Options options;
  options.create_if_missing = create;
  leveldb::DB* opened = nullptr;
  require(leveldb::DB::Open(options, directory, &opened), directory);
  return std::unique_ptr<leveldb::DB>(opened);
}

/// A write past the limit on file sizes (ulimit -f) fails and is told, instead of killing us.
class file_limit_is_told {
public:
  file_limit_is_told() noexcept : before_(::signal(SIGXFSZ, SIG_IGN)) {}
  ~file_limit_is_told() { ::signal(SIGXFSZ, before_); }
  file_limit_is_told(const file_limit_is_told&) = delete;
  file_limit_is_told& operator=(const file_limit_is_told&) = delete;

private:
  void (*before_)(int);
};

class read_random final : public workload {
public:
  read_random(leveldb::DB& database, std::uint64_t entries) : database_(database), entries_(entries) {}

  void work(worker& me) override {
    std::mt19937_64 chance(me.seed);
    std::uniform_int_distribution<std::uint64_t> any(0, entries_ - 1);
    key_text room{};
    std::string value;
    const leveldb::ReadOptions options;
    std::uint64_t missing = 0;
    repeat(me, [&] {
      if (!database_.Get(options, key_of(any(chance), room), &value).ok()) ++missing;
    });
    if (missing > 0) missing_.fetch_add(missing, std::memory_order_relaxed);
  }
  std::vector<finding> findings() const override {
    return {{"missing", static_cast<double>(missing_.load(std::memory_order_relaxed))}};
  }

private:
  leveldb::DB& database_;
  std::uint64_t entries_;
  std::atomic<std::uint64_t> missing_{0};
};

}  // namespace

void fill_sequentially(const std::string& directory, std::uint64_t entries,
                       const std::function<bool()>& interrupted) {
  const file_limit_is_told guard;
  require_room(directory, entries);
  const auto database = open(directory, true);
  const leveldb::WriteOptions options;
  value_source values;
  key_text room{};
  for (std::uint64_t i = 0; i < entries && !interrupted(); ++i)
    require(database->Put(options, key_of(i, room), values.next()), directory);
}

std::optional<run_result> read_randomly(const std::string& directory, std::uint64_t entries,
                                        const run_settings& settings) {
  const auto database = open(directory, false);
  read_random reading(*database, entries);
  auto result = run(reading, settings);
  if (result && result->findings.at(0).second > 0)
    throw store_failed(
        fmt::format("{} reads in {} found nothing: the database is not the one that was filled",
                    result->findings[0].second, directory));
  return result;
}

}  // namespace hemlock::bench
