// At most one thread is inside, whatever the number of threads and locks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <numeric>
#include <random>

#include "support/any_lock.hpp"
#include "support/run_threads.hpp"

namespace hemlock::test {
namespace {

constexpr int nobody = -1;

/// What a lock protects: a counter that loses updates without it, and a witness of who is inside.
struct protected_data {
  long count = 0;
  std::atomic<int> inside{nobody};

  void visit(int thread) {
    EXPECT_EQ(inside.exchange(thread, std::memory_order_relaxed), nobody)
        << "entered while another was inside";
    ++count;
    EXPECT_EQ(inside.exchange(nobody, std::memory_order_relaxed), thread) << "another entered meanwhile";
  }
};

/// A row of locks with their data, and a thread's grips on all of them.
class lock_row {
public:
  lock_row(const lock_case& kind, std::size_t size) : data(size) {
    for (std::size_t i = 0; i < size; ++i) locks_.push_back(kind.make());
  }
  std::vector<std::unique_ptr<any_handle>> grips() {
    std::vector<std::unique_ptr<any_handle>> made;
    for (auto& lock : locks_) made.push_back(lock->grip());
    return made;
  }
  std::vector<protected_data> data;

private:
  std::vector<std::unique_ptr<any_lock>> locks_;
};

void count_together(const lock_case& kind, int threads, int rounds) {
  lock_row row(kind, 1);
  run_threads(threads, [&](int thread) {
    const auto mine = row.grips();
    for (int round = 0; round < rounds; ++round) {
      const std::scoped_lock guard(*mine[0]);
      row.data[0].visit(thread);
    }
  });
  EXPECT_EQ(row.data[0].count, long{threads} * rounds);
}

class exclusion : public ::testing::TestWithParam<lock_case> {};
class exclusion_while_spinning : public ::testing::TestWithParam<lock_case> {};

TEST_P(exclusion, holds_under_contention_with_2_threads) {
  count_together(GetParam(), 2, 2000);
}
TEST_P(exclusion, holds_under_contention_with_4_threads) {
  count_together(GetParam(), 4, 1000);
}
TEST_P(exclusion, holds_under_contention_with_8_threads) {
  count_together(GetParam(), 8, 400);
}
TEST_P(exclusion_while_spinning, holds_under_contention_with_2_threads) {
  count_together(GetParam(), 2, 300);
}

TEST_P(exclusion, holds_when_sixty_four_locks_are_held_at_once_and_released_in_any_order) {
  constexpr std::size_t locks = 64;
  constexpr int collectors = 2, visitors = 2, rounds = 4, visits = 16 * rounds;
  lock_row row(GetParam(), locks);
  run_threads(collectors + visitors, [&](int thread) {
    std::mt19937 random(static_cast<unsigned>(thread));
    const auto mine = row.grips();
    if (thread >= collectors) {
      for (int visit = 0; visit < visits; ++visit) {
        const std::size_t i = random() % locks;
        const std::scoped_lock guard(*mine[i]);
        row.data[i].visit(thread);
      }
      return;
    }
    for (int round = 0; round < rounds; ++round) {
      for (const auto& one : mine) one->lock();
      std::array<std::size_t, locks> release_order;
      std::iota(release_order.begin(), release_order.end(), 0U);
      if (round == 1) std::reverse(release_order.begin(), release_order.end());
      if (round > 1) std::shuffle(release_order.begin(), release_order.end(), random);
      for (const std::size_t i : release_order) {
        row.data[i].visit(thread);
        mine[i]->unlock();
      }
    }
  });
  long total = 0;
  for (const auto& one : row.data) total += one.count;
  EXPECT_EQ(total, long{collectors} * rounds * long{locks} + long{visitors} * visits);
}

TEST_P(exclusion, holds_hand_over_hand_along_a_chain) {
  constexpr std::size_t links = 12;
  constexpr int threads = 4, rounds = 60;
  lock_row row(GetParam(), links);
  run_threads(threads, [&](int thread) {
    const auto mine = row.grips();
    for (int round = 0; round < rounds; ++round) {
      mine[0]->lock();
      for (std::size_t link = 0; link < links; ++link) {
        row.data[link].visit(thread);
        if (link + 1 < links) mine[link + 1]->lock();
        mine[link]->unlock();
      }
    }
  });
  for (const auto& one : row.data) EXPECT_EQ(one.count, long{threads} * rounds);
}

TEST_P(exclusion, holds_when_a_leader_holds_ten_locks_and_others_wait_on_each) {
  constexpr std::size_t locks = 10;
  constexpr int rounds = 30;
  lock_row row(GetParam(), locks);
  run_threads(1 + static_cast<int>(locks), [&](int thread) {
    const auto mine = row.grips();
    for (int round = 0; round < rounds; ++round) {
      if (thread == 0) {
        for (const auto& one : mine) one->lock();
        for (std::size_t i = locks; i-- > 0;) {
          row.data[i].visit(thread);
          mine[i]->unlock();
        }
      } else {
        const auto i = static_cast<std::size_t>(thread - 1);
        const std::scoped_lock guard(*mine[i]);
        row.data[i].visit(thread);
      }
    }
  });
  for (const auto& one : row.data) EXPECT_EQ(one.count, 2L * rounds);
}

INSTANTIATE_TEST_SUITE_P(every_lock, exclusion, ::testing::ValuesIn(patient_locks()), case_name{});
INSTANTIATE_TEST_SUITE_P(every_lock, exclusion_while_spinning, ::testing::ValuesIn(spinning_locks()),
                         case_name{});

}  // namespace
}  // namespace hemlock::test
