// An executable and two shared objects that it dlopens, all built with hidden visibility, lock and unlock the same lock
// across each other. Without libhemlock.so's one record per thread this hangs: one object passes the lock on in a record
// that the other's successor does not look at.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>

#include "shared_objects/object.hpp"
#include "support/run_threads.hpp"

namespace hemlock::test {
namespace {

lock_functions functions_of_object(const char* path, int kind) {
  void* const object = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) ADD_FAILURE() << ::dlerror();
  auto* const function =
      reinterpret_cast<decltype(&lock_functions_for)>(::dlsym(object, "lock_functions_for"));
  return function(kind);
}

class shared_objects : public ::testing::TestWithParam<int> {};

TEST_P(shared_objects, lock_and_unlock_one_lock_across_each_other) {
  const std::array objects{functions_of_object(FIRST_OBJECT, GetParam()),
                           functions_of_object(SECOND_OBJECT, GetParam()), lock_functions_for(GetParam())};
  const std::unique_ptr<void, decltype(&std::free)> lock(std::calloc(1, objects[0].size), &std::free);
  long count = 0;
  constexpr int threads = 4, rounds = 300;
  run_threads(threads, [&](int thread) {
    for (int round = 0; round < rounds; ++round) {
      // Lock through one, unlock through another; the successor waits in a third.
      const auto first = static_cast<std::size_t>(thread + round) % objects.size();
      const auto second = (first + 1) % objects.size();
      objects[first].lock(lock.get());
      ++count;
      objects[second].unlock(lock.get());
    }
  });
  EXPECT_EQ(count, threads * rounds);
}

INSTANTIATE_TEST_SUITE_P(hemlock_ctr_mcs_and_hemlock_overlap, shared_objects, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace hemlock::test
