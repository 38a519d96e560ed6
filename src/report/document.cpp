#include "report/document.hpp"

#include <algorithm>
#include <cctype>

#include "report/build_info.hpp"
#include "report/machine.hpp"

namespace hemlock::report {

nlohmann::json document(std::string_view command) {
  return {{"schema", schema}, {"version", version}, {"command", command}, {"machine", this_machine()}};
}

std::string shell_quoted(const std::vector<std::string>& words) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view{"_-+=./:,@%"}.find(static_cast<char>(c)) != std::string_view::npos;
  };
  std::string line;
  for (const auto& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string{"'\\''"} : std::string{c};
    line += '\'';
  }
  return line;
}

}  // namespace hemlock::report
