// What the headers claim, asked of the compiler.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "hemlock/registry.hpp"
#include "hemlock/world/native_rcu.hpp"

namespace hemlock::test {
namespace {

using world_under_test = native_rcu<waiting::automatic>;

template <template <class> class Lock>
constexpr bool is_one_word = sizeof(Lock<world_under_test>) == sizeof(void*);
static_assert(is_one_word<hemlock_naive> && is_one_word<hemlock_ctr> && is_one_word<hemlock_overlap> &&
              is_one_word<hemlock_ah> && is_one_word<hemlock_marked> && is_one_word<hemlock_hinted> &&
              is_one_word<hemlock_polite> && is_one_word<hemlock_stack> && is_one_word<hemlock_table> &&
              is_one_word<hemlock_chain> && is_one_word<hemlock_futex> && is_one_word<hemlock_cv> &&
              is_one_word<hemlock_signal>);
static_assert(sizeof(hemlock_element<world_under_test>) == 2 * sizeof(void*),
              "the owner is kept in the body");
static_assert(sizeof(mcs<world_under_test>) == 2 * sizeof(void*));
static_assert(sizeof(clh<world_under_test>) == 2 * sizeof(void*));
static_assert(sizeof(ticket<world_under_test>) == 2 * sizeof(std::uint64_t));

// A record's Grant is alone in its cache lines.
static_assert(sizeof(hemlock_ctr<world_under_test>::per_thread) == false_sharing_bytes &&
              alignof(hemlock_ctr<world_under_test>::per_thread) == false_sharing_bytes);
static_assert(sizeof(hemlock_table<world_under_test>::per_thread) == 64 * false_sharing_bytes, "64 entries");

// Only CLH must give something back at its end.
static_assert(!std::is_trivially_destructible_v<clh<world_under_test>>);

template <class Lock>
struct constant_initialisation {
  static constinit Lock lock;
};
template <class Lock>
constinit Lock constant_initialisation<Lock>::lock{};

TEST(promises, hold_for_every_registered_lock) {
  std::set<std::string> names;
  for_each_lock<world_under_test>([&]<class Lock>() {
    SCOPED_TRACE(Lock::traits.name);
    static_assert(std::is_trivially_destructible_v<Lock> || std::is_same_v<Lock, clh<world_under_test>>);
    static_assert(!std::is_copy_constructible_v<Lock> && !std::is_copy_assignable_v<Lock>);
    static_assert(Lock::traits.fifo == !Lock::traits.doorstep.empty(),
                  "a FIFO lock says where the order is fixed");
    EXPECT_NE(&constant_initialisation<Lock>::lock, nullptr);  // instantiates the constinit definition
    EXPECT_TRUE(names.insert(std::string(Lock::traits.name)).second) << "two locks of one name";
    EXPECT_FALSE(Lock::traits.summary.empty());
    EXPECT_FALSE(Lock::traits.source.empty());
  });
}

TEST(table_entry, depends_on_the_address_alone_and_spreads_neighbours) {
  EXPECT_EQ(table_entry<6>(0x1000), table_entry<6>(0x1000));
  for (const std::uintptr_t stride : {8U, 16U, 40U, 64U, 128U, 4096U}) {
    std::set<std::size_t> entries;
    for (std::uintptr_t i = 0; i < 64; ++i) {
      const std::size_t entry = table_entry<6>(0x7f00'0000'0000 + i * stride);
      ASSERT_LT(entry, 64U);
      entries.insert(entry);
    }
    EXPECT_GE(entries.size(), 30U) << "stride " << stride;
  }
}

}  // namespace
}  // namespace hemlock::test
