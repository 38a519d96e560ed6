// What any mutex promises, on the two that ship.
#include <mutex>

#include "mutex/both_mutexes.hpp"

namespace hemlock::testing {
namespace {

template <class Mutex>
class mutual_exclusion : public ::testing::Test {};
TYPED_TEST_SUITE(mutual_exclusion, both_mutexes);

TYPED_TEST(mutual_exclusion, a_lock_of_zeroes_is_free) {
  alignas(TypeParam) unsigned char storage[sizeof(TypeParam)] = {};
  auto& lock = reinterpret_cast<TypeParam&>(storage);
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_EQ(word_of(lock), free_word);
}

TYPED_TEST(mutual_exclusion, no_update_is_lost_between_many_threads) {
  TypeParam lock;
  long updates = 0;
  constexpr int threads = 8, rounds = 2000;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const std::lock_guard guard(lock);
        ++updates;
      }
    });
  }
  for (auto& worker : workers) worker.join();
  EXPECT_EQ(updates, long{threads} * rounds);
  EXPECT_EQ(word_of(lock), free_word);
}

TYPED_TEST(mutual_exclusion, try_lock_fails_while_another_thread_holds_it_and_disturbs_nothing) {
  TypeParam lock;
  lock.lock();
  std::thread([&] { EXPECT_FALSE(lock.try_lock()); }).join();
  EXPECT_EQ(word_of(lock), held_word);
  lock.unlock();
  std::thread([&] {
    EXPECT_TRUE(lock.try_lock());
    lock.unlock();
  }).join();
}

TYPED_TEST(mutual_exclusion, the_next_holder_may_destroy_the_lock) {
  // The classic: whoever drops the last reference unlocks, then frees. A sanitizer sees an unlock that comes back.
  struct shared {
    TypeParam lock;
    int references = 2;
  };
  for (int round = 0; round < 500; ++round) {
    auto* const object = new shared;
    const auto drop = [object] {
      object->lock.lock();
      const bool last = --object->references == 0;
      object->lock.unlock();
      if (last) delete object;
    };
    std::thread other(drop);
    drop();
    other.join();
  }
}

TYPED_TEST(mutual_exclusion, works_with_every_standard_guard) {
  TypeParam one, two;
  { const std::scoped_lock both(one, two); }
  std::unique_lock deferred(one, std::defer_lock);
  EXPECT_TRUE(deferred.try_lock());
  EXPECT_EQ(std::try_lock(one, two), 0);
  deferred.unlock();
  EXPECT_TRUE(deferred.try_lock_for(std::chrono::milliseconds(1)));
  EXPECT_EQ(word_of(two), free_word);
}

#if !defined(HEMLOCK_TSAN)  // ThreadSanitizer reports it as a mistake, and is right about most programs
TYPED_TEST(mutual_exclusion, another_thread_may_unlock_unless_ownership_is_checked) {
  if (checks::by_default::enabled) GTEST_SKIP() << "a debug build reports it as a mistake";
  TypeParam lock;
  lock.lock();
  std::thread([&] { lock.unlock(); }).join();
  EXPECT_EQ(word_of(lock), free_word);
}
#endif

}  // namespace
}  // namespace hemlock::testing
