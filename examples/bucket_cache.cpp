// A cache with a lock in every bucket: affordable, since a lock is eight bytes. Threads meet only when they ask for
// the same bucket at the same time, and a value is computed once however many want it.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "hemlock/mutex.hpp"

namespace {

class cache {
public:
  explicit cache(std::size_t buckets) : buckets_(buckets) {}

  template <class Compute>
  std::uint64_t get(std::uint64_t key, Compute compute) {
    bucket& mine = buckets_[key * 0x9E3779B97F4A7C15U % buckets_.size()];
    const std::lock_guard guard(mine.lock);
    for (const auto& known : mine.entries) {
      if (known.key == key) return known.value;
    }
    mine.entries.push_back({key, compute(key)});
    return mine.entries.back().value;
  }

  std::size_t bytes_for_locks() const { return buckets_.size() * sizeof(hemlock::mutex); }

private:
  struct entry {
    std::uint64_t key, value;
  };
  struct bucket {
    hemlock::mutex lock;
    std::vector<entry> entries;
  };
  std::vector<bucket> buckets_;
};

}  // namespace

int main() {
  constexpr std::uint64_t keys = 10'000;
  cache squares(4096);
  std::atomic<std::uint64_t> computed{0};
  std::atomic<bool> right{true};
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      for (std::uint64_t key = 0; key < keys; ++key) {
        const auto value = squares.get(key, [&](std::uint64_t of) {
          ++computed;
          return of * of;
        });
        if (value != key * key) right = false;
      }
    });
  }
  for (auto& reader : readers) reader.join();
  std::printf("%llu keys, computed %llu times; 4096 locks in %zu bytes\n",
              static_cast<unsigned long long>(keys), static_cast<unsigned long long>(computed.load()),
              squares.bytes_for_locks());
  return right && computed == keys ? 0 : 1;
}
