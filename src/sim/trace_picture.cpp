// One hand-over as a picture: the states of each line over time, cache by cache.
#include <fmt/core.h>

#include <algorithm>

#include "sim/trace.hpp"

namespace hemlock::sim {
namespace {

constexpr double left = 190, width = 760, bar = 16, label = 13, gap = 8, margin = 12;

const char* colour_of(char state) {
  switch (state) {
    case 'M':
      return "#d1495b";
    case 'E':
      return "#edae49";
    case 'O':
      return "#8d6a9f";
    case 'F':
      return "#00798c";
    case 'S':
      return "#66a5ad";
    default:
      return "#eeeeee";
  }
}

std::string escaped(const std::string& text) {
  std::string made;
  for (const char each : text) {
    if (each == '<')
      made += "&lt;";
    else if (each == '&')
      made += "&amp;";
    else if (each == '"')
      made += "&quot;";
    else
      made += each;
  }
  return made;
}

/// Whose cache a row shows.
enum class place { in_a, in_b, elsewhere };

class drawing {
public:
  explicit drawing(double ns_shown) : scale_(width / ns_shown) {}

  void hand_over(const std::string& lock, const trace& seen) {
    seen_ = &seen;
    a_ = static_cast<std::size_t>(seen.cache_of[seen.from_cpu]);
    b_ = static_cast<std::size_t>(seen.cache_of[seen.to_cpu]);
    end_ = seen.acquired_at;
    y_ += 22;
    body_ += fmt::format(
        R"(<text x="{}" y="{:.1f}" class="title">{}: B is inside {:.0f} ns after A begins to unlock</text>)"
        "\n",
        margin, y_, escaped(lock), to_ns(end_ - seen.unlocks_at));
    y_ += gap;
    const double top = y_;
    for (const std::uint32_t line : lines()) {
      row(line, place::in_a);
      row(line, place::in_b);
      if (ever_elsewhere(line)) row(line, place::elsewhere);
      y_ += gap;
    }
    const double inside = x(end_);
    body_ += fmt::format(
        R"(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}" stroke="#222" stroke-dasharray="4 3"/>)"
        "\n",
        inside, top, y_);
    axis();
  }

  [[nodiscard]] std::string done() const {
    std::string legend;
    double at = margin;
    for (const auto& [letter, meaning] :
         {std::pair('M', "M modified"), std::pair('E', "E exclusive"), std::pair('O', "O owned"),
          std::pair('F', "F forward"), std::pair('S', "S shared"), std::pair('I', "I no copy")}) {
      legend += fmt::format(
          R"(<rect x="{:.0f}" y="{:.1f}" width="12" height="12" fill="{}"/><text x="{:.0f}" y="{:.1f}">{}</text>)"
          "\n",
          at, y_ + 14, colour_of(letter), at + 16, y_ + 24, meaning);
      at += 105;
    }
    legend += fmt::format(R"(<text x="{:.0f}" y="{:.1f}">pale: on its way</text>)", at, y_ + 24);
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">
<style>text {{ font: 11px sans-serif; fill: #222; }} .title {{ font-weight: bold; font-size: 13px; }} .in {{ fill: #fff; }}</style>
<rect width="100%" height="100%" fill="#fff"/>
{2}{3}
</svg>
)",
        left + width + 110, y_ + 40, body_, legend);
  }

private:
  [[nodiscard]] double x(picoseconds time) const { return left + scale_ * to_ns(time - seen_->unlocks_at); }
  [[nodiscard]] bool shown(const trace_entry& each) const { return each.time <= end_; }
  [[nodiscard]] bool by(const trace_entry& each, place whose) const {
    const auto cache = static_cast<std::size_t>(seen_->cache_of[each.cpu]);
    return whose == place::in_a   ? cache == a_
           : whose == place::in_b ? cache == b_
                                  : cache != a_ && cache != b_;
  }
  [[nodiscard]] char state(const trace_entry& each, place whose) const {
    if (whose == place::in_a) return each.states[a_];
    if (whose == place::in_b) return each.states[b_];
    char found = 'I';
    for (std::size_t cache = 0; cache < each.states.size(); ++cache)
      if (cache != a_ && cache != b_ && each.states[cache] != 'I' && (found == 'I' || found == 'S'))
        found = each.states[cache];
    return found;
  }

  /// Those that A or B touch, in the order of the first touch.
  [[nodiscard]] std::vector<std::uint32_t> lines() const {
    std::vector<std::uint32_t> made;
    for (const auto& each : seen_->entries)
      if (shown(each) && !by(each, place::elsewhere) &&
          std::find(made.begin(), made.end(), each.line) == made.end())
        made.push_back(each.line);
    return made;
  }
  [[nodiscard]] bool ever_elsewhere(std::uint32_t line) const {
    return std::any_of(seen_->entries.begin(), seen_->entries.end(), [&](const trace_entry& each) {
      return shown(each) && each.line == line && state(each, place::elsewhere) != 'I';
    });
  }

  void segment(picoseconds from, picoseconds until, char what, bool on_its_way) {
    const double begin = x(std::max(from, seen_->unlocks_at)), wide = x(std::min(until, end_)) - begin;
    if (wide <= 0) return;
    body_ += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" fill="{}"{}/>)"
                         "\n",
                         begin, y_ + 2 * label, wide, bar, colour_of(what),
                         on_its_way ? R"( fill-opacity="0.35")" : "");
    if (wide > 12 && what != 'I' && !on_its_way)
      body_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" class="in">{}</text>)"
                           "\n",
                           begin + 3, y_ + 2 * label + bar - 4, what);
  }

  void row(std::uint32_t line, place whose) {
    const auto name = seen_->names.find(line);
    body_ += fmt::format(R"(<text x="{}" y="{:.1f}">{}{}</text>)"
                         "\n",
                         margin, y_ + 2 * label + bar - 4,
                         escaped(name != seen_->names.end() ? name->second : fmt::format("line {}", line)),
                         whose == place::in_a   ? ", in A"
                         : whose == place::in_b ? ", in B"
                                                : ", elsewhere");
    picoseconds since = seen_->unlocks_at;
    char now = 0;
    bool on_its_way = false;
    double free_from[2] = {0, 0};
    for (const auto& each : seen_->entries) {
      if (each.line != line || !shown(each)) continue;
      const bool mine = by(each, whose);
      const bool leaves = mine && each.what == trace_entry::step::served;
      const bool arrives = mine && each.what == trace_entry::step::arrives;
      const char next = state(each, whose);
      if (now == 0) now = next;
      if (next != now || leaves || arrives) {
        segment(since, each.time, now, on_its_way);
        since = each.time;
        now = next;
        on_its_way = leaves || (on_its_way && !arrives && next != 'I');
      }
      if (mine && whose != place::elsewhere) step(each, free_from);
    }
    segment(since, end_, now, on_its_way);
    y_ += 2 * label + bar + 3;
  }

  /// What a thread does, above its bar; looks that find nothing new are left out.
  void step(const trace_entry& each, double (&free_from)[2]) {
    std::string text;
    if (each.what == trace_entry::step::asks_to_read)
      text = "asks to read";
    else if (each.what == trace_entry::step::asks_to_own)
      text = "asks for ownership";
    else if (each.what == trace_entry::step::takes_effect &&
             (!each.hit || each.done.what != operation::kind::load))
      text = fmt::format("{} {}{}", name_of(each.done.what), each.done.label,
                         each.done.what != operation::kind::compare_exchange ? ""
                         : each.done.succeeded                               ? ", succeeds"
                                                                             : ", fails");
    if (text.empty()) return;
    const double at = x(each.time);
    const int level = at >= free_from[1] ? 1 : at >= free_from[0] ? 0 : -1;
    body_ += fmt::format(R"(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}" stroke="#222"/>)"
                         "\n",
                         at, y_ + (level < 0 ? 2 : level + 1) * label - 8, y_ + 2 * label + bar);
    if (level < 0) return;
    free_from[level] = at + 6 * static_cast<double>(text.size());
    body_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}">{}</text>)"
                         "\n",
                         at + 3, y_ + (level + 1) * label - 2, escaped(text));
  }

  void axis() {
    const double every = width / scale_ > 400 ? 100 : 50;
    for (double ns = 0; ns <= width / scale_; ns += every)
      body_ += fmt::format(
          R"(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}" stroke="#222"/><text x="{3:.1f}" y="{4:.1f}">{5:.0f} ns</text>)"
          "\n",
          left + scale_ * ns, y_, y_ + 4, left + scale_ * ns + 2, y_ + 12, ns);
    y_ += 22;
  }

  double scale_;  ///< of a nanosecond
  double y_ = 0;
  std::string body_;
  const trace* seen_ = nullptr;
  std::size_t a_ = 0;
  std::size_t b_ = 0;
  picoseconds end_ = 0;
};

}  // namespace

std::string hand_over_picture(const std::vector<named_trace>& all) {
  double longest = 1;
  for (const auto& each : all)
    longest = std::max(longest, to_ns(each.seen.acquired_at - each.seen.unlocks_at));
  drawing made(longest);
  for (const auto& each : all)
    if (each.seen.acquired_at != 0) made.hand_over(each.lock, each.seen);
  return made.done();
}

}  // namespace hemlock::sim
