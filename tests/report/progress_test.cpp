#include "report/progress.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "report/interrupt.hpp"
#include "report/table.hpp"

namespace hemlock::report {
namespace {

using seconds = std::chrono::duration<double>;

std::string written(progress_style style) {
  std::FILE* file = std::tmpfile();
  {
    progress steps{4, style, file};
    steps.begin("mcs, 1 thread");
    steps.done();
    steps.begin("mcs, 2 threads");
    steps.note("a note");
  }
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST(progress, shows_share_time_left_and_what_runs) {
  EXPECT_EQ(bar_text(1, 4, seconds{30}, "mcs", 80), "█████···············  25 %  1:30 left  mcs");
  EXPECT_EQ(bar_text(0, 4, seconds{30}, "mcs", 80), "····················   0 %  mcs");
  EXPECT_EQ(display_width(bar_text(1, 4, seconds{30}, std::string(200, 'x'), 60)), 60U);
}

TEST(progress, writes_plain_lines_off_a_terminal_and_at_most_one_a_second) {
  EXPECT_EQ(written(progress_style::lines), "  0 %  mcs, 1 thread\na note\n");
}

TEST(progress, leaves_a_terminal_clean) {
  const auto text = written(progress_style::bar);
  EXPECT_NE(text.find(" 25 %"), std::string::npos);
  EXPECT_NE(text.find("a note\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\x1b[K"));
}

TEST(progress, can_be_silent) {
  EXPECT_EQ(written(progress_style::silent), "");
}

TEST(progress, suits_what_stderr_is) {
  std::FILE* file = std::tmpfile();
  EXPECT_EQ(style_for(true, file), progress_style::silent);
  EXPECT_EQ(style_for(false, file), progress_style::lines);
  std::fclose(file);
}

TEST(durations, are_told_as_on_a_clock) {
  EXPECT_EQ(duration_text(seconds{3.2}), "4 s");
  EXPECT_EQ(duration_text(seconds{62}), "1:02");
  EXPECT_EQ(duration_text(seconds{7205}), "2:00:05");
}

TEST(interrupt, is_remembered_and_the_old_handling_comes_back) {
  {
    const interrupt_guard guard;
    EXPECT_FALSE(interrupt_guard::interrupted());
    std::raise(SIGINT);
    EXPECT_TRUE(interrupt_guard::interrupted());
    EXPECT_EQ(interrupt_guard::signal(), SIGINT);
  }
  struct sigaction now {};
  ::sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST(interrupt, kills_when_it_comes_twice) {
  EXPECT_EXIT(
      {
        const interrupt_guard guard;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace hemlock::report
