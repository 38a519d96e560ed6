// The bounds that the simulated Intel machine must keep to the paper's.
#include "sim/reproduction.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hemlock::sim {
namespace {

/// The order of the queue freezes at the start and decides up to 20 %: fewer than 100 seeds would be luck.
constexpr int seeds = 100;

TEST(offcore_table, keeps_to_the_papers_rates_and_ratios) {
  const auto rows = offcore_table(find_profile("intel-x5-2"), seeds);
  for (const auto& row : rows) {
    EXPECT_NEAR(row.full.rate / 1e6, row.paper_rate, allowed_rate * row.paper_rate) << row.lock;
    EXPECT_LE(std::abs(relative_error(row, rows[0], false)), row.allowed) << row.lock;
  }
  const auto rate = [&](std::size_t i) { return rows[i].full.rate; };
  EXPECT_GT(rate(0), std::max(rate(2), rate(3))) << "Hemlock is ahead of MCS and CLH";
  EXPECT_GT(std::min(rate(2), rate(3)), rate(1)) << "MCS and CLH are ahead of Hemlock-";
  EXPECT_GT(rate(1), rate(4)) << "Hemlock- is ahead of Ticket";
  EXPECT_NEAR(rows[0].plain.offcore, 6.0, 0.001);
}

TEST(statements, of_the_paper_hold_on_the_simulated_machine) {
  const char* const size = std::getenv("HEMLOCK_TEST_SIZE");
  const int some = size != nullptr && std::string(size) == "full" ? seeds : 12;
  for (const auto& each : ask_statements(find_profile("intel-x5-2"), some))
    EXPECT_TRUE(each.holds) << each.text << ": " << each.figures;
  const auto amd = amd_concurs(find_profile("amd-epyc-7662-2s"), some);
  EXPECT_TRUE(amd.holds) << amd.text << ": " << amd.figures;
}

}  // namespace
}  // namespace hemlock::sim
