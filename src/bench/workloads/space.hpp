// A table with a lock in every bucket, as caches and databases have them: what the locks cost in memory, and
// how fast random buckets are updated.
#pragma once

#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "bench/resident_memory.hpp"
#include "bench/workload.hpp"
#include "hemlock/locks/lock_handle.hpp"

namespace hemlock::bench {

template <class Lock>
class space final : public workload {
public:
  explicit space(std::size_t buckets)
      : resident_before_(resident_bytes()), buckets_(std::make_unique<bucket[]>(buckets)), count_(buckets) {
    // Every bucket is used once, so that memory which a lock takes at its first use is seen too.
    for (std::size_t i = 0; i < count_; ++i) update(i);
    resident_ = resident_bytes() - resident_before_;
  }

  void work(worker& me) override {
    std::minstd_rand own(me.seed + 1);
    std::uniform_int_distribution<std::size_t> any(0, count_ - 1);
    repeat(me, [&] { update(any(own)); });
  }

  std::vector<finding> findings() const override {
    return {{"bytes per bucket", static_cast<double>(resident_) / static_cast<double>(count_)}};
  }

private:
  struct bucket {
    Lock lock{};
    std::uint64_t value = 0;
  };

  [[gnu::always_inline]] void update(std::size_t index) {
    bucket& here = buckets_[index];
    scoped<Lock> hold(here.lock);
    ++here.value;
  }

  std::size_t resident_before_;
  std::unique_ptr<bucket[]> buckets_;
  std::size_t count_;
  std::size_t resident_ = 0;
};

}  // namespace hemlock::bench
