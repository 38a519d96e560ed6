#include "report/table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "report/csv.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace hemlock::report {
namespace {

TEST(table, aligns_columns_and_ends_no_line_in_a_blank) {
  table one{{{"lock", align::left}, {"median"}, {"", align::left}}};
  one.row({"mcs", "1.5", "█"});
  one.row({"hemlock", "12", ""});
  EXPECT_EQ(one.text(false), "lock     median\nmcs         1.5  █\nhemlock      12\n");
}

TEST(table, counts_characters_and_not_bytes) {
  EXPECT_EQ(display_width("1.2 ± 0.1"), 9U);
  EXPECT_EQ(display_width("\x1b[1;32mbest\x1b[0m"), 4U);
  EXPECT_EQ(truncated("±±±±", 3), "±±…");
}

TEST(table, is_coloured_only_when_asked) {
  table one{{{"lock", align::left}}};
  one.row({{"mcs", tone::good}});
  EXPECT_EQ(one.text(false).find('\x1b'), std::string::npos);
  EXPECT_NE(one.text(true).find("\x1b[1;32mmcs\x1b[0m"), std::string::npos);
}

TEST(colour, is_refused_off_a_terminal) {
  std::FILE* file = std::tmpfile();
  EXPECT_FALSE(colour_wanted(file));
  std::fclose(file);
}

TEST(quantities, have_three_digits_and_a_prefix) {
  EXPECT_EQ(quantity(12'345'678, "acquisitions/s"), "12.3 M acquisitions/s");
  EXPECT_EQ(quantity(450'000), "450 k");
  EXPECT_EQ(quantity(0.00123, "s"), "1.23 ms");
  EXPECT_EQ(quantity(1.5e-8, "s"), "15.0 ns");
  EXPECT_EQ(quantity(4096, "B"), "4 KiB");
  EXPECT_EQ(quantity(8, "B"), "8 B");
  EXPECT_EQ(quantity(999'990), "1.00 M");
  EXPECT_EQ(quantity(0), "0");
  EXPECT_EQ(quantity(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(short_quantity(12'345'678, "acquisitions/s"), "12.3M");
  EXPECT_EQ(plain_number(64), "64");
  EXPECT_EQ(plain_number(0.5), "0.5");
}

TEST(bars, fill_by_eighths) {
  EXPECT_EQ(bar(1, 3), "███");
  EXPECT_EQ(bar(0.5, 3), "█▌");
  EXPECT_EQ(bar(0, 3), "");
  EXPECT_EQ(bar(0.5, 4, true), "██··");
  EXPECT_EQ(bar(7, 2), "██");
}

TEST(sparks, have_a_column_per_value) {
  EXPECT_EQ(spark(std::vector<double>{0, 3.5, 7}), "▁▅█");
  EXPECT_EQ(spark(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN()}), "█ ");
}

experiment grid() {
  experiment one;
  one.name = "bench a/b";
  one.title = "Throughput";
  one.x.name = "threads";
  one.y = {"throughput", "ops/s"};
  one.in("mcs").at(1).samples = {2e6};
  one.in("mcs").at(2) = {2, {1e6}, {"pure spin, more threads than CPUs"}, {}};
  one.in("tas").at(1).failures = {"timed out", "timed out"};
  return one;
}

TEST(text, shows_a_row_per_series_with_marks_and_failures_as_footnotes) {
  const auto text = text_of(grid(), false);
  EXPECT_NE(text.find("mcs           2M  1M¹  █▅\n"), std::string::npos) << text;
  EXPECT_NE(text.find("failed²"), std::string::npos) << text;
  EXPECT_NE(text.find("¹ pure spin, more threads than CPUs\n² 2 runs failed: timed out\n"), std::string::npos)
      << text;
}

TEST(csv, has_a_line_per_sample_and_quotes_what_must_be) {
  results all;
  all.experiments.push_back(grid());
  all.experiments[0].series[0].name = "a, \"b\"";
  EXPECT_EQ(csv_of(all),
            "experiment,series,x,x_label,run,value,unit,marks,failure\n"
            "bench a/b,\"a, \"\"b\"\"\",1,,1,2000000,ops/s,,\n"
            "bench a/b,\"a, \"\"b\"\"\",2,,1,1000000,ops/s,\"pure spin, more threads than CPUs\",\n"
            "bench a/b,tas,1,,,,ops/s,,timed out\n"
            "bench a/b,tas,1,,,,ops/s,,timed out\n");
}

TEST(svg, script_holds_the_medians_and_a_safe_name) {
  auto one = grid();
  one.title = "it's";
  const auto script = gnuplot_script(one, "out.svg");
  EXPECT_NE(script.find("set title 'it''s'"), std::string::npos);
  EXPECT_NE(script.find("\n1 2000000 2000000 2000000\n"), std::string::npos) << script;
  EXPECT_EQ(svg_name(one), "bench-a-b.svg");
}

}  // namespace
}  // namespace hemlock::report
