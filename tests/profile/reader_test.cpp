// The reader, with files that are whole, cut short, damaged, of another version, or nonsense.
#include "profile/reader.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "made_profile.hpp"
#include "profile/views.hpp"

namespace hemlock::profile {
namespace {

made_profile small_profile() {
  made_profile made;
  const place first = made.add_lock(0x1000, 500);
  const place second = made.add_lock(0x2000, 0);
  stack_record stack{};
  stack.depth = 2;
  stack.frames[0] = frame(0, 0x4711);
  const place where = made.add(stack);
  share_record share{};
  share.lock = first;
  share.stack = where;
  share.role = share_role::waiter;
  share.time = 500;
  made.add(share);
  clue_record clues{};
  clues.lock = first;
  clues.count = 1;
  clues.clues[0] = {0, -16, 8};
  made.add(clues);
  thread_record thread{};
  thread.id = 7;
  const place who = made.add(thread);
  made.add_edge(first, second, who);
  made.close();
  return made;
}

bool mentions(const std::vector<std::string>& warnings, std::string_view words) {
  for (const auto& one : warnings)
    if (one.find(words) != std::string::npos) return true;
  return false;
}

TEST(Reader, GivesBackWhatAWholeFileHolds) {
  const auto found = parse_profile(small_profile().bytes());
  EXPECT_EQ(found.locks.size(), 2U);
  EXPECT_EQ(found.stacks.size(), 1U);
  EXPECT_EQ(found.shares.size(), 1U);
  EXPECT_EQ(found.clues.size(), 1U);
  EXPECT_EQ(found.edges.size(), 1U);
  EXPECT_EQ(found.threads.size(), 1U);
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
}

TEST(Reader, RefusesWhatIsNoProfileAndSaysHowToMakeOne) {
  try {
    parse_profile("{\"schema\": 1}");
    FAIL() << "accepted";
  } catch (const bad_profile& error) {
    EXPECT_NE(std::string{error.what()}.find("hemlock profile"), std::string::npos) << error.what();
  }
  EXPECT_THROW(parse_profile(""), bad_profile);
}

TEST(Reader, NamesTheVersionOfAFileThatItCannotRead) {
  auto made = small_profile();
  made.header().version = 7;
  try {
    parse_profile(made.bytes());
    FAIL() << "accepted";
  } catch (const bad_profile& error) {
    EXPECT_NE(std::string{error.what()}.find("format 7"), std::string::npos) << error.what();
  }
}

TEST(Reader, ShowsTheWholeBlocksOfAFileThatIsCutShort) {
  const auto bytes = small_profile().bytes();
  const auto found = parse_profile(std::string_view{bytes}.substr(0, header_bytes + 2 * block_bytes));
  EXPECT_EQ(found.locks.size(), 2U);
  EXPECT_TRUE(found.shares.empty());
  EXPECT_TRUE(mentions(found.warnings, "cut short"));
  EXPECT_THROW(parse_profile(std::string_view{bytes}.substr(0, 1000)), bad_profile);
}

TEST(Reader, LeavesOutADamagedRecordAndKeepsTheOthers) {
  auto bytes = small_profile().bytes();
  bytes[header_bytes + sizeof(block_header)] ^= 1;  // the first lock's address
  const auto found = parse_profile(bytes);
  EXPECT_EQ(found.locks.size(), 1U);
  EXPECT_TRUE(found.shares.empty()) << "belongs to the lock that is gone";
  EXPECT_TRUE(mentions(found.warnings, "damaged"));
}

TEST(Reader, TellsOfADamagedNumberInAFileThatWasClosed) {
  auto bytes = small_profile().bytes();
  bytes[header_bytes + sizeof(block_header) + offsetof(lock_record, wait)] ^= 1;
  const auto found = parse_profile(bytes);
  EXPECT_EQ(found.locks.size(), 2U);
  EXPECT_TRUE(mentions(found.warnings, "may be wrong"));
}

TEST(Reader, TakesAFileThatWasNeverClosedWithoutComplaint) {
  auto made = small_profile();
  made.header().state = file_state::open;
  EXPECT_TRUE(parse_profile(made.bytes()).warnings.empty());
}

TEST(Reader, PassesOverABlockThatWasReservedWhenTheProgramDied) {
  auto made = small_profile();
  made.header().state = file_state::open;
  const auto found = parse_profile(made.bytes() + std::string(block_bytes, '\0'));
  EXPECT_EQ(found.locks.size(), 2U);
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
}

/// Whatever the bytes, the reader and everything after it come to an end without a fault.
TEST(Reader, SurvivesAnyDamage) {
  const bool full =
      std::getenv("HEMLOCK_TEST_SIZE") != nullptr && std::string{std::getenv("HEMLOCK_TEST_SIZE")} == "full";
  const auto seed = static_cast<unsigned>(full ? std::random_device{}() : 4711);
  std::mt19937 random{seed};
  const auto whole = small_profile().bytes();
  const auto any = [&](std::size_t below) { return static_cast<std::size_t>(random()) % below; };
  for (int round = 0; round < (full ? 3000 : 150); ++round) {
    auto bytes = whole;
    if (any(4) == 0) bytes.resize(any(bytes.size()));
    for (std::size_t hits = any(30); hits > 0 && !bytes.empty(); --hits) {
      // Mostly where something is: the header, and the beginnings of blocks.
      const std::size_t block = any(9);
      const std::size_t at = block == 8 ? any(header_bytes) : header_bytes + block * block_bytes + any(400);
      if (at < bytes.size()) bytes[at] = static_cast<char>(any(256));
    }
    try {
      const auto all =
          analyse(parse_profile(bytes), any(2) == 0 ? grouping::lock : grouping::site, order_by::wait);
      view_options options;
      ASSERT_FALSE(text_of(all, options).empty()) << "seed " << seed << " round " << round;
      ASSERT_FALSE(html_of(all, options).empty());
      folded_of(all, order_by::hold);
      dot_of(all);
      json_of(all, "hemlock report").dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    } catch (const bad_profile& error) {
      ASSERT_GT(std::string{error.what()}.size(), 10U);
    }
  }
}

}  // namespace
}  // namespace hemlock::profile
