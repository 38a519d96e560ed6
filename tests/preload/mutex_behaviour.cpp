// What a program may rely on of its mutexes. Run without the library too: these are promises of POSIX and glibc, not
// of ours.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <thread>
#include <vector>

namespace {

pthread_mutex_t made_of(int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  return mutex;
}

int in_another_thread(int (*call)(pthread_mutex_t*), pthread_mutex_t& mutex) {
  int result = -1;
  std::thread([&] { result = call(&mutex); }).join();
  return result;
}

// Used before main by a constructor of high priority, and after it by a destructor.
pthread_mutex_t early_normal = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t early_recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t early_cond = PTHREAD_COND_INITIALIZER;
int early_codes = -1;

[[gnu::constructor(101)]] void before_main() {
  int codes = 0;
  codes |= pthread_mutex_lock(&early_normal);
  codes |= pthread_mutex_trylock(&early_normal) ^ EBUSY;
  codes |= pthread_mutex_lock(&early_recursive) | pthread_mutex_lock(&early_recursive);
  const timespec past{1, 0};
  codes |= pthread_cond_timedwait(&early_cond, &early_normal, &past) ^ ETIMEDOUT;
  codes |= pthread_mutex_unlock(&early_recursive) | pthread_mutex_unlock(&early_recursive);
  codes |= pthread_mutex_unlock(&early_normal);
  early_codes = codes;
}
[[gnu::destructor(101)]] void after_main() {
  pthread_mutex_lock(&early_normal);
  pthread_cond_broadcast(&early_cond);
  pthread_mutex_unlock(&early_normal);
}

TEST(mutex, works_before_any_constructor_of_the_program) {
  EXPECT_EQ(early_codes, 0);
}

TEST(mutex, in_zeroed_memory_is_free) {
  void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const mutex = static_cast<pthread_mutex_t*>(memory);
  EXPECT_EQ(pthread_mutex_lock(mutex), 0);
  EXPECT_EQ(in_another_thread(pthread_mutex_trylock, *mutex), EBUSY);
  EXPECT_EQ(pthread_mutex_unlock(mutex), 0);
  munmap(memory, 4096);
}

TEST(mutex, copied_before_its_first_use_works) {
  const pthread_mutex_t original = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_mutex_t copy;
  std::memcpy(&copy, &original, sizeof copy);
  EXPECT_EQ(pthread_mutex_unlock(&copy), EPERM);
  EXPECT_EQ(pthread_mutex_lock(&copy), 0);
  EXPECT_EQ(pthread_mutex_lock(&copy), EDEADLK);
  EXPECT_EQ(pthread_mutex_unlock(&copy), 0);
}

TEST(mutex, recursive_one_is_held_until_unlocked_as_often_as_locked) {
  pthread_mutex_t mutex = made_of(PTHREAD_MUTEX_RECURSIVE);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    EXPECT_EQ(in_another_thread(pthread_mutex_trylock, mutex), EBUSY);
  }
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

TEST(mutex, recursion_that_would_overflow_is_refused) {
  pthread_mutex_t mutex = made_of(PTHREAD_MUTEX_RECURSIVE);
  ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
  mutex.__data.__count = UINT_MAX;  // four thousand million calls would take a while
  EXPECT_EQ(pthread_mutex_lock(&mutex), EAGAIN);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), EAGAIN);
  mutex.__data.__count = 1;
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
}

TEST(mutex, error_checking_one_names_each_mistake) {
  pthread_mutex_t mutex = made_of(PTHREAD_MUTEX_ERRORCHECK);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EDEADLK);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_EQ(in_another_thread(pthread_mutex_unlock, mutex), EPERM);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), EBUSY);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EINVAL);
}

TEST(mutex, next_holder_may_free_the_memory) {
  // POSIX: as soon as a thread has the mutex, it may unlock and destroy it, though the last holder has hardly left.
  struct object {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int references = 2;
  };
  const auto drop = [](object* shared) {
    pthread_mutex_lock(&shared->mutex);
    const bool last = --shared->references == 0;
    pthread_mutex_unlock(&shared->mutex);
    if (!last) return;
    EXPECT_EQ(pthread_mutex_destroy(&shared->mutex), 0);
    std::memset(static_cast<void*>(shared), 0xa5, sizeof *shared);
    delete shared;
  };
  for (int i = 0; i < 300; ++i) {
    auto* const shared = new object;
    std::thread other(drop, shared);
    drop(shared);
    other.join();
  }
}

TEST(mutex, many_threads_never_hold_it_together) {
  for (const int type :
       {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP}) {
    pthread_mutex_t mutex = made_of(type);
    long count = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 500; ++i) {
          timespec when;
          clock_gettime(CLOCK_REALTIME, &when);
          when.tv_sec += 60;
          if (t % 3 == 0)
            ASSERT_EQ(pthread_mutex_timedlock(&mutex, &when), 0);
          else if (t % 3 == 1)
            while (pthread_mutex_trylock(&mutex) != 0) std::this_thread::yield();
          else
            ASSERT_EQ(pthread_mutex_lock(&mutex), 0);
          ++count;
          ASSERT_EQ(pthread_mutex_unlock(&mutex), 0);
        }
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(count, 8 * 500) << "type " << type;
  }
}

TEST(mutex, robust_one_tells_that_its_owner_died) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t mutex;
  ASSERT_EQ(pthread_mutex_init(&mutex, &attributes), 0);
  EXPECT_EQ(in_another_thread(pthread_mutex_lock, mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EOWNERDEAD);
  EXPECT_EQ(pthread_mutex_consistent(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

TEST(mutex, errno_is_left_alone) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        errno = 4711;
        pthread_mutex_lock(&mutex);
        std::this_thread::yield();
        pthread_mutex_unlock(&mutex);
        if (errno != 4711) ++wrong;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
