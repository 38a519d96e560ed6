// Buckets, the queue's word, circles in the lock order, names, and what the terminal shows.
#include <gtest/gtest.h>

#include <sstream>

#include "made_profile.hpp"
#include "profile/difference.hpp"
#include "profile/order_graph.hpp"
#include "profile/queue_word.hpp"
#include "profile/views.hpp"
#include "report/table.hpp"

namespace hemlock::profile {
namespace {

TEST(Histogram, PutsEveryValueIntoABucketThatHoldsIt) {
  for (std::uint64_t value = 1; value < (std::uint64_t{1} << 39); value = value * 9 / 8 + 1) {
    const auto index = bucket_of(value);
    EXPECT_LE(bucket_floor(index), value);
    EXPECT_GT(bucket_floor(index + 1), value);
    if (value >= 4) {
      EXPECT_LE(bucket_floor(index + 1) - bucket_floor(index), bucket_floor(index) / 4 + 1);
    }
  }
}

TEST(QueueWord, KnowsTheSumOfAllWaitsAtAnyInstant) {
  std::uint64_t word = 0;
  word = queue_word::come(word, 1000);
  word = queue_word::come(word, 1500);
  EXPECT_EQ(queue_word::waiters(word), 2U);
  EXPECT_EQ(queue_word::waited(word, 2000), 1500U);
  word = queue_word::go(word, 2000);
  EXPECT_EQ(queue_word::waited(word, 3000), 2500U);
  word = queue_word::go(word, 3000);
  EXPECT_EQ(queue_word::waiters(word), 0U);
  EXPECT_EQ(queue_word::waited(word, 9999), 2500U);
}

edge_view edge(std::size_t from, std::size_t to, place thread = 1, bool several = true, place guard = 0) {
  return {from, to, 1, 0, thread, several, guard};
}

TEST(LockOrder, HasNoCircleWhenAllAgree) {
  EXPECT_TRUE(find_cycles({edge(0, 1), edge(1, 2), edge(0, 2)}, 3).empty());
}

TEST(LockOrder, FindsEachCircleOnce) {
  const auto found = find_cycles({edge(0, 1), edge(1, 0), edge(1, 2), edge(2, 3), edge(3, 1)}, 4);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].edges.size(), 2U);
  EXPECT_EQ(found[1].edges.size(), 3U);
}

TEST(LockOrder, KnowsWhenOneThreadAloneGoesInACircle) {
  EXPECT_TRUE(find_cycles({edge(0, 1, 5, false), edge(1, 0, 5, false)}, 2).front().one_thread);
  EXPECT_FALSE(find_cycles({edge(0, 1, 5, false), edge(1, 0, 6, false)}, 2).front().one_thread);
}

TEST(LockOrder, KnowsWhenAnOuterLockGuardsTheCircle) {
  EXPECT_TRUE(find_cycles({edge(0, 1, 5, false, 9), edge(1, 0, 6, false, 9)}, 2).front().guarded);
  EXPECT_FALSE(find_cycles({edge(0, 1, 5, false, 9), edge(1, 0, 6, false, 8)}, 2).front().guarded);
}

TEST(Names, AreShortEnoughToRead) {
  EXPECT_EQ(short_function("leveldb::DBImpl::Get(leveldb::ReadOptions const&, int)"), "leveldb::DBImpl::Get");
  EXPECT_EQ(short_function("void std::vector<int, std::allocator<int> >::push_back(int const&)"),
            "std::vector::push_back");
  EXPECT_EQ(short_function("main"), "main");
  EXPECT_EQ(short_function("(anonymous namespace)::work(int)::{lambda()#1}::operator()() const"),
            "(anonymous)::work::{lambda#1}::operator()");
}

TEST(Names, OfAStackIsTheFunctionThatWantedTheLockNotTheWrapperAroundIt) {
  const auto frame = [](const char* function) { return code_frame{function, "", 0, false, true}; };
  const std::vector<code_frame> stack = {frame("std::mutex::lock()"), frame("leveldb::port::Mutex::Lock()"),
                                         frame("leveldb::MutexLock::MutexLock(leveldb::port::Mutex*)"),
                                         frame("leveldb::DBImpl::Get(int)"), frame("main")};
  EXPECT_EQ(telling_frame(stack), &stack[3]);
  const std::vector<code_frame> nothing_else = {frame("std::mutex::lock()")};
  EXPECT_EQ(telling_frame(nothing_else), &nothing_else[0]);
  const std::vector<code_frame> stripped = {{"a.so+0x12", "", 0, false, false}, frame("a_function")};
  EXPECT_EQ(telling_frame(stripped), &stripped[0]);
  EXPECT_EQ(named_frame(stripped), &stripped[1]);
}

profile two_locks() {
  made_profile made;
  const place busy = made.add_lock(0x1000, 97'000'000);
  const place idle = made.add_lock(0x2000, 3'000'000);
  thread_record one{};
  one.id = 1;
  thread_record other{};
  other.id = 2;
  const place first = made.add(one);
  const place second = made.add(other);
  made.add_edge(busy, idle, first);
  made.add_edge(idle, busy, second);
  made.close();
  return analyse(parse_profile(made.bytes()), grouping::lock, order_by::wait);
}

TEST(Terminal, SaysFirstWhatMattersAndLastWhatToTypeNext) {
  view_options options;
  options.path = "x.prof";
  const auto text = text_of(two_locks(), options);
  EXPECT_EQ(text.rfind("1 of 2 mutexes carries 97 % of the waiting", 0), 0U) << text;
  EXPECT_NE(text.find("these can deadlock"), std::string::npos) << text;
  EXPECT_NE(text.find("hemlock report x.prof --html", text.rfind("Next:")), std::string::npos) << text;
}

TEST(Terminal, FitsAHundredColumnsAndLosesNoWordOfANote) {
  auto all = two_locks();
  const std::string path = "/a/very/long/path/" + std::string(150, 'x') + "/to/a/program";
  all.warnings.push_back(
      path + " is not the file that was recorded (its build id differs): its functions have no names");
  const auto text = text_of(all, {});
  std::string without_breaks;
  for (const char c : text)
    if (c != '\n' && c != ' ') without_breaks += c;
  EXPECT_NE(
      without_breaks.find(path + "isnotthefilethatwasrecorded(itsbuildiddiffers):itsfunctionshavenonames"),
      std::string::npos)
      << text;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(report::display_width(line), 100U) << line;
}

TEST(Difference, SetsTheSameLockOfTwoRunsSideBySide) {
  const auto before = two_locks();
  auto after = two_locks();
  after.locks[0].wait *= 2;
  after.total_wait = after.locks[0].wait + after.locks[1].wait;
  const auto found = compare(before, after);
  ASSERT_EQ(found.locks.size(), 2U);
  EXPECT_EQ(found.locks[0].name, before.locks[0].name);
  EXPECT_NEAR(found.wait_ratio, 1.97, 0.001);
}

}  // namespace
}  // namespace hemlock::profile
