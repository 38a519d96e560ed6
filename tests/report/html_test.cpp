#include "report/html.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "report/outputs.hpp"

namespace hemlock::report {
namespace {

results hostile() {
  auto all = new_results("hemlock compare -- echo '</script><script>alert(1)</script>'");
  auto& one = all.experiments.emplace_back();
  one.name = "x";
  one.title = "<b>bold</b> & \"quoted\"";
  one.shows = "a </script> in text";
  one.x.labels = {"<i>"};
  one.in("</script>").at(0).samples = {1, 2, 3};
  return all;
}

TEST(page, lets_no_text_of_the_user_become_markup) {
  const auto page = html_of(hostile());
  EXPECT_EQ(page.find("<b>bold"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot;"), std::string::npos);
}

TEST(page, asks_nothing_of_the_network) {
  const auto page = html_of(hostile());
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
}

TEST(page, carries_its_data) {
  const auto page = html_of(hostile());
  const std::string open = "<script type=\"application/json\" id=\"hemlock-data\">";
  const auto begin = page.find(open) + open.size();
  const auto data = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data, to_document(hostile()));
}

TEST(files, that_cannot_be_written_are_named_before_anything_is_measured) {
  const auto reason = [](const outputs& files) -> std::string {
    try {
      files.check();
    } catch (const unwritable& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(reason({.json = "/no/such/folder/x.json"}),
            "cannot write /no/such/folder/x.json: No such file or directory");
  EXPECT_NE(reason({.html = "/tmp"}), "");
  EXPECT_NE(reason({.json = "-", .csv = "-"}), "");
  EXPECT_EQ(reason({.json = "-", .csv = "/dev/null"}), "");
}

TEST(files, are_complete_or_untouched) {
  const std::string path = ::testing::TempDir() + "hemlock-outputs-" + std::to_string(::getpid());
  std::ofstream{path} << "old";
  const outputs files{.json = path};
  files.check();
  std::string text;
  std::getline(std::ifstream{path}, text);
  EXPECT_EQ(text, "old");
  files.write(hostile());
  EXPECT_EQ(to_document(read_results(path)), to_document(hostile()));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace hemlock::report
