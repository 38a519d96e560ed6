// A text of headings, paragraphs and tables, written once and shown as Markdown and as HTML.
#pragma once

#include <string>
#include <vector>

namespace hemlock::cli {

class paper_text {
public:
  using cells = std::vector<std::string>;

  /// `level` 1 is the title. A heading of level 2 begins a card of the page.
  void heading(int level, const std::string& title) { parts_.push_back({kind::heading, level, title, {}}); }
  void paragraph(const std::string& text) { parts_.push_back({kind::paragraph, 0, text, {}}); }
  /// The first row is the head. `prose`: columns of words, set flush left.
  void table(std::vector<cells> rows, bool prose = false) {
    parts_.push_back({kind::table, prose ? 1 : 0, "", std::move(rows)});
  }

  void append(const paper_text& more) { parts_.insert(parts_.end(), more.parts_.begin(), more.parts_.end()); }

  [[nodiscard]] std::string markdown() const;
  /// As cards for the report's page. Links, which lead to files beside the Markdown, become plain text.
  [[nodiscard]] std::string html() const;

private:
  enum class kind { heading, paragraph, table };
  struct part {
    kind what;
    int level;
    std::string text;
    std::vector<cells> rows;
  };
  std::vector<part> parts_;
};

}  // namespace hemlock::cli
