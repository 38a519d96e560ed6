// One test per transition of the three protocols.
#include <gtest/gtest.h>

#include "sim/coherence/protocol.hpp"

namespace hemlock::sim {
namespace {

/// The states of caches 0, 1 and 2.
std::string states(const directory_entry& line) {
  std::string text;
  for (cache_id cache = 0; cache < 3; ++cache) text += static_cast<char>(line.state_in(cache));
  return text;
}

directory_entry entry(const char* text) {
  directory_entry made;
  for (cache_id cache = 0; cache < 3; ++cache) {
    const auto state = static_cast<line_state>(text[cache]);
    if (state == line_state::invalid) continue;
    made.copies.insert(cache);
    if (state != line_state::shared) made.answer(cache, state);
  }
  return made;
}

struct transition {
  const char* name;
  protocol kind;
  const char* before;
  bool is_write;
  cache_id by;
  const char* after;
  source from;
};

class transitions : public testing::TestWithParam<transition> {};

TEST_P(transitions, leaves_the_line_as_the_protocol_says) {
  const auto& expected = GetParam();
  directory_entry line = entry(expected.before);
  ASSERT_EQ(states(line), expected.before);
  const source from =
      expected.is_write ? write(expected.kind, line, expected.by) : read(expected.kind, line, expected.by);
  EXPECT_EQ(states(line), expected.after);
  EXPECT_EQ(from, expected.from);
}

constexpr auto mesi_p = protocol::mesi;
constexpr auto mesif_p = protocol::mesif;
constexpr auto moesi_p = protocol::moesi;

INSTANTIATE_TEST_SUITE_P(
    all, transitions,
    testing::Values(
        transition{"mesi_read_uncached", mesi_p, "III", false, 0, "EII", source::memory},
        transition{"mesi_read_of_exclusive", mesi_p, "EII", false, 1, "SSI", source::sole_owner},
        transition{"mesi_read_of_modified", mesi_p, "MII", false, 1, "SSI", source::sole_owner},
        transition{"mesi_read_of_shared", mesi_p, "SSI", false, 2, "SSS", source::shared_copy},
        transition{"mesi_write_uncached", mesi_p, "III", true, 0, "MII", source::memory},
        transition{"mesi_write_of_exclusive", mesi_p, "EII", true, 1, "IMI", source::sole_owner},
        transition{"mesi_write_of_modified", mesi_p, "MII", true, 1, "IMI", source::sole_owner},
        transition{"mesi_write_of_shared", mesi_p, "SSI", true, 2, "IIM", source::shared_copy},
        transition{"mesi_upgrade", mesi_p, "SSI", true, 0, "MII", source::own_copy},
        transition{"mesif_read_uncached", mesif_p, "III", false, 0, "EII", source::memory},
        transition{"mesif_read_of_exclusive", mesif_p, "EII", false, 1, "SFI", source::sole_owner},
        transition{"mesif_read_of_modified", mesif_p, "MII", false, 1, "SFI", source::sole_owner},
        transition{"mesif_read_of_forward", mesif_p, "SFI", false, 2, "SSF", source::shared_copy},
        transition{"mesif_read_of_shared", mesif_p, "SSI", false, 2, "SSF", source::shared_copy},
        transition{"mesif_write_uncached", mesif_p, "III", true, 0, "MII", source::memory},
        transition{"mesif_write_of_exclusive", mesif_p, "EII", true, 1, "IMI", source::sole_owner},
        transition{"mesif_write_of_modified", mesif_p, "MII", true, 2, "IIM", source::sole_owner},
        transition{"mesif_write_of_forward", mesif_p, "SFI", true, 2, "IIM", source::shared_copy},
        transition{"mesif_upgrade_of_shared", mesif_p, "SFI", true, 0, "MII", source::own_copy},
        transition{"mesif_upgrade_of_forward", mesif_p, "SFI", true, 1, "IMI", source::own_copy},
        transition{"moesi_read_uncached", moesi_p, "III", false, 0, "EII", source::memory},
        transition{"moesi_read_of_exclusive", moesi_p, "EII", false, 1, "SSI", source::sole_owner},
        transition{"moesi_read_of_modified", moesi_p, "MII", false, 1, "OSI", source::sole_owner},
        transition{"moesi_read_of_owned", moesi_p, "OSI", false, 2, "OSS", source::shared_copy},
        transition{"moesi_read_of_shared", moesi_p, "SSI", false, 2, "SSS", source::shared_copy},
        transition{"moesi_write_uncached", moesi_p, "III", true, 0, "MII", source::memory},
        transition{"moesi_write_of_exclusive", moesi_p, "EII", true, 1, "IMI", source::sole_owner},
        transition{"moesi_write_of_modified", moesi_p, "MII", true, 1, "IMI", source::sole_owner},
        transition{"moesi_write_of_owned", moesi_p, "OSI", true, 2, "IIM", source::shared_copy},
        transition{"moesi_upgrade_of_owned", moesi_p, "OSI", true, 0, "MII", source::own_copy},
        transition{"moesi_upgrade_of_shared", moesi_p, "OSI", true, 1, "IMI", source::own_copy}),
    [](const auto& each) { return each.param.name; });

TEST(mesif, a_read_that_invalidates_leaves_the_old_owner_nothing_and_the_reader_no_right_to_write) {
  directory_entry line = entry("MII");
  mesif::read_of_modified_that_invalidates(line, 1);
  EXPECT_EQ(states(line), "IFI");
  EXPECT_FALSE(line.writable_in(1));
}

TEST(write_transitions, a_write_hit_turns_exclusive_into_modified) {
  directory_entry line = entry("EII");
  write_transitions::write_hit(line);
  EXPECT_EQ(states(line), "MII");
}

TEST(cache_set, finds_members_in_a_range_across_words) {
  cache_set set;
  set.insert(130);
  EXPECT_TRUE(set.any_in(100, 131));
  EXPECT_FALSE(set.any_in(0, 130));
  EXPECT_FALSE(set.any_in(131, 256));
  EXPECT_EQ(set.size(), 1U);
}

}  // namespace
}  // namespace hemlock::sim
