#include "cli/paper_text.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace hemlock::cli {
namespace {

/// Markdown's `code`, **strong**, *emphasis* and [text](link) as HTML.
std::string inline_html(const std::string& text) {
  std::string made;
  bool code = false, strong = false, emphasis = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    if (each == '`') {
      made += code ? "</code>" : "<code>";
      code = !code;
    } else if (!code && each == '*' && i + 1 < text.size() && text[i + 1] == '*') {
      made += strong ? "</strong>" : "<strong>";
      strong = !strong;
      ++i;
    } else if (!code && each == '*') {
      made += emphasis ? "</em>" : "<em>";
      emphasis = !emphasis;
    } else if (!code && each == '[' && text.find("](", i) != std::string::npos) {
      const std::size_t middle = text.find("](", i), end = text.find(')', middle);
      made += inline_html(text.substr(i + 1, middle - i - 1));
      i = end;
    } else if (each == '<') {
      made += "&lt;";
    } else if (each == '&') {
      made += "&amp;";
    } else {
      made += each;
    }
  }
  return made;
}

std::string html_table(const std::vector<paper_text::cells>& rows, bool prose) {
  std::string made = fmt::format("<div class=\"scroll{}\"><table><thead><tr>", prose ? " prose" : "");
  for (const auto& each : rows[0]) made += fmt::format("<th>{}</th>", inline_html(each));
  made += "</tr></thead><tbody>";
  for (std::size_t i = 1; i < rows.size(); ++i) {
    made += "<tr>";
    for (const auto& each : rows[i]) made += fmt::format("<td>{}</td>", inline_html(each));
    made += "</tr>";
  }
  return made + "</tbody></table></div>\n";
}

}  // namespace

std::string paper_text::markdown() const {
  std::string made;
  for (const auto& each : parts_) {
    if (!made.empty()) made += '\n';
    switch (each.what) {
      case kind::heading:
        made += fmt::format("{} {}\n", std::string(static_cast<std::size_t>(each.level), '#'), each.text);
        break;
      case kind::paragraph:
        made += each.text + '\n';
        break;
      case kind::table:
        for (std::size_t i = 0; i < each.rows.size(); ++i) {
          made += fmt::format("| {} |\n", fmt::join(each.rows[i], " | "));
          if (i > 0) continue;
          made += '|';
          for (std::size_t column = 0; column < each.rows[0].size(); ++column)
            made += column == 0 || each.level == 1 ? "---|" : "---:|";
          made += '\n';
        }
        break;
    }
  }
  return made;
}

std::string paper_text::html() const {
  std::string made;
  bool in_card = false;
  const auto begin_card = [&] {
    if (in_card) made += "</section>\n";
    made += "<section class=\"card\">";
    in_card = true;
  };
  for (const auto& each : parts_) {
    if (!in_card || (each.what == kind::heading && each.level == 2)) begin_card();
    switch (each.what) {
      case kind::heading:
        made += fmt::format("<h{0}>{1}</h{0}>\n", each.level < 3 ? 2 : 3, inline_html(each.text));
        break;
      case kind::paragraph:
        made += fmt::format("<p class=\"shows\">{}</p>\n", inline_html(each.text));
        break;
      case kind::table:
        made += html_table(each.rows, each.level == 1);
        break;
    }
  }
  return in_card ? made + "</section>\n" : made;
}

}  // namespace hemlock::cli
