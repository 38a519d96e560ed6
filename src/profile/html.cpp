// The page: made whole here, so that it opens from disk and prints. Histograms and the lock order are drawn as SVG; the
// only script is the one that changes between light and dark.
#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "profile/views.hpp"
#include "report/table.hpp"

namespace hemlock::profile {
namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string seconds(double nanoseconds) {
  return nanoseconds <= 0 ? "–" : report::quantity(nanoseconds / 1e9, "s");
}
std::string seconds(std::uint64_t nanoseconds) {
  return seconds(static_cast<double>(nanoseconds));
}

constexpr std::string_view theme_script = R"(<script>
const root = document.documentElement, button = document.getElementById('theme');
function show(theme) { root.dataset.theme = theme; button.textContent = theme === 'dark' ? 'light' : 'dark'; }
show(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
button.addEventListener('click', () => show(root.dataset.theme === 'dark' ? 'light' : 'dark'));
addEventListener('beforeprint', () => show('light'));
</script>
)";

constexpr std::string_view page_style = R"(
svg { max-width: 100%; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
svg .name { fill: var(--ink); }
svg .axis { stroke: var(--line); }
figure { margin: 1rem 0; max-width: 46rem; }
figcaption, h3 { font-size: .95rem; font-weight: 600; margin: 1rem 0 .35rem; }
details { margin: .25rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
details ol { font: .82rem/1.5 ui-monospace, monospace; overflow-x: auto; margin: .3rem 0 .6rem; padding-left: 2.4rem; }
summary small, li i { color: var(--soft); }
h2, td, th { overflow-wrap: anywhere; }
a { color: inherit; }
)";

/// Of a number that is round in its unit: "5 µs".
std::string round_time(std::uint64_t nanoseconds) {
  constexpr std::uint64_t units[] = {1'000'000'000, 1'000'000, 1'000, 1};
  constexpr const char* names[] = {"s", "ms", "µs", "ns"};
  std::size_t i = 0;
  while (nanoseconds < units[i]) ++i;
  return fmt::format("{} {}", nanoseconds / units[i], names[i]);
}

std::string counted(std::uint64_t number, const char* singular, const char* plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

/// Round times below a histogram that goes from one bucket to another; its ends, if there are none between.
std::string time_marks(std::size_t first, std::size_t last, double width, double height) {
  const double step = width / static_cast<double>(last - first);
  std::string marks;
  double free_from = 0;
  int count = 0;
  const auto mark = [&](double x, const std::string& text, const char* anchor) {
    marks += fmt::format(
        "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\"/>"
        "<text x=\"{0:.1f}\" y=\"{2}\" text-anchor=\"{3}\">{4}</text>",
        x, height + 4, height + 16, anchor, text);
  };
  for (std::uint64_t decade = 1; decade < bucket_floor(last); decade *= 10)
    for (const std::uint64_t time : {decade, 2 * decade, 5 * decade}) {
      const std::size_t bucket = bucket_of(time);
      const double x = static_cast<double>(bucket - first) * step;
      if (bucket < first || bucket >= last || x < free_from || x > width - 40) continue;
      mark(x, round_time(time), "start");
      free_from = x + 64;
      ++count;
    }
  if (count > 0) return marks;
  mark(0, seconds(bucket_floor(first)), "start");
  mark(width, seconds(bucket_floor(last)), "end");
  return marks;
}

/// A bar per bucket over the range in which there are any; its title says the bounds and the count.
std::string histogram_svg(const histogram& counts, const char* title) {
  std::size_t first = 0;
  std::size_t last = bucket_count;
  while (first < last && counts[first] == 0) ++first;
  while (last > first && counts[last - 1] == 0) --last;
  if (first == last) return "";
  // A few bars do not fill the whole width.
  constexpr std::size_t fewest = 24;
  while (last - first < fewest) {
    if (first > 0) --first;
    if (last < bucket_count) ++last;
  }
  const std::uint64_t highest = *std::max_element(counts.begin(), counts.end());
  constexpr double width = 640;
  constexpr double height = 120;
  const double step = width / static_cast<double>(last - first);
  std::string bars;
  for (std::size_t i = first; i < last; ++i) {
    if (counts[i] == 0) continue;
    const double tall = std::max(1.0, height * static_cast<double>(counts[i]) / static_cast<double>(highest));
    bars += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{} to {}: "
        "{}</title></rect>",
        static_cast<double>(i - first) * step, height - tall, std::max(1.0, step - 1), tall,
        seconds(bucket_floor(i)), seconds(bucket_floor(i + 1)), counts[i]);
  }
  return fmt::format(
      "<figure><figcaption>{0}</figcaption><svg viewBox=\"0 -14 {1} {2}\" role=\"img\" aria-label=\"{0}\">"
      "{3}<line class=\"axis\" x1=\"0\" x2=\"{1}\" y1=\"{4}\" y2=\"{4}\"/><g fill=\"var(--accent)\">{5}</g>"
      "<text x=\"{1}\" y=\"-3\" text-anchor=\"end\">highest: {6}</text></svg></figure>",
      title, width, height + 34, time_marks(first, last, width, height), height, bars, highest);
}

std::string stacks_html(const profile& all, const std::vector<stack_part>& parts, const char* title) {
  if (parts.empty()) return "";
  std::uint64_t whole = 0;
  for (const auto& part : parts) whole += part.time;
  std::string text = fmt::format("<h3>{}</h3>", title);
  for (std::size_t i = 0; i < parts.size() && i < 8; ++i) {
    const auto stack = all.stacks.find(parts[i].stack);
    const code_frame* const first = stack == all.stacks.end() ? nullptr : telling_frame(stack->second);
    const double share =
        whole == 0 ? 0 : 100 * static_cast<double>(parts[i].time) / static_cast<double>(whole);
    text += fmt::format("<details{}><summary><b>{:.1f} %</b> {} <small>{} times, {}</small></summary><ol>",
                        i == 0 ? " open" : "", share,
                        escaped(first == nullptr ? "(stack not recorded)" : frame_text(*first)),
                        parts[i].count, seconds(parts[i].time));
    if (stack != all.stacks.end())
      for (const auto& frame : stack->second)
        text +=
            fmt::format("<li>{}{}{}</li>", escaped(frame.function),
                        frame.file.empty() ? "" : escaped(fmt::format(" ({}:{})", frame.file, frame.line)),
                        frame.inlined ? " <i>inlined</i>" : "");
    text += "</ol></details>";
  }
  return text;
}

/// On a circle; few enough to be read.
std::string order_svg(const profile& all) {
  std::vector<std::size_t> nodes;
  std::set<std::size_t> in_circle;
  for (const auto& cycle : all.cycles) in_circle.insert(cycle.edges.begin(), cycle.edges.end());
  const auto number = [&](std::size_t lock) {
    const auto found = std::find(nodes.begin(), nodes.end(), lock);
    return static_cast<std::size_t>(found - nodes.begin());
  };
  const auto enter = [&](std::size_t edge) {
    for (const std::size_t lock : {all.edges[edge].from, all.edges[edge].to})
      if (number(lock) == nodes.size() && nodes.size() < 24) nodes.push_back(lock);
  };
  for (const std::size_t edge : in_circle) enter(edge);
  for (std::size_t i = 0; i < all.edges.size(); ++i) enter(i);
  if (nodes.empty()) return "<p>No lock was taken while another was held.</p>";
  const auto x_of = [&](std::size_t i) {
    return 450 +
           250 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(nodes.size()));
  };
  const auto y_of = [&](std::size_t i) {
    return 260 +
           200 * std::sin(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(nodes.size()));
  };
  std::string lines;
  for (std::size_t i = 0; i < all.edges.size(); ++i) {
    const std::size_t from = number(all.edges[i].from);
    const std::size_t to = number(all.edges[i].to);
    if (from == nodes.size() || to == nodes.size() || from == to) continue;
    const char* const tone = in_circle.count(i) != 0 ? "alarm" : "soft";
    const double middle_x = (x_of(from) + x_of(to)) / 2 + (y_of(to) - y_of(from)) / 6;
    const double middle_y = (y_of(from) + y_of(to)) / 2 - (x_of(to) - x_of(from)) / 6;
    lines += fmt::format(
        "<path d=\"M{:.0f},{:.0f} Q{:.0f},{:.0f} {:.0f},{:.0f}\" fill=\"none\" stroke=\"var(--{})\" "
        "stroke-width=\"1.5\" marker-end=\"url(#tip-{})\"><title>{} then {}: {} times</title></path>",
        x_of(from), y_of(from), middle_x, middle_y, x_of(to), y_of(to), tone, tone,
        escaped(all.locks[all.edges[i].from].name), escaped(all.locks[all.edges[i].to].name),
        all.edges[i].count);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    lines += fmt::format(
        "<circle cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"5\" fill=\"var(--accent)\"/><text class=\"name\" "
        "x=\"{:.0f}\" y=\"{:.0f}\" "
        "text-anchor=\"{}\">{}</text>",
        x_of(i), y_of(i), x_of(i) + (x_of(i) < 450 ? -9 : 9), y_of(i) + 4, x_of(i) < 450 ? "end" : "start",
        escaped(report::truncated(all.locks[nodes[i]].name, 30)));
  std::string tips;
  for (const char* const tone : {"soft", "alarm"})
    tips += fmt::format(
        "<marker id=\"tip-{0}\" viewBox=\"0 0 10 10\" refX=\"17\" refY=\"5\" markerWidth=\"7\" "
        "markerHeight=\"7\" "
        "orient=\"auto\"><path d=\"M0,0 L10,5 L0,10 z\" fill=\"var(--{0})\"/></marker>",
        tone);
  double highest = y_of(0);
  double lowest = y_of(0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    highest = std::min(highest, y_of(i));
    lowest = std::max(lowest, y_of(i));
  }
  return fmt::format("<svg viewBox=\"-40 {:.0f} 980 {:.0f}\" role=\"img\" aria-label=\"Lock order\"><defs>",
                     highest - 60, lowest - highest + 120) +
         tips + "</defs>" + lines + "</svg>";
}

std::string circle_html(const profile& all, const cycle_view& cycle) {
  std::string text = fmt::format("<div class=\"{}\"><p>{}</p><ul>",
                                 cycle.guarded || cycle.one_thread ? "verdict" : "card warnings",
                                 cycle.guarded      ? "A circle, but always under one outer lock:"
                                 : cycle.one_thread ? "A circle, but so far by one thread alone:"
                                                    : "These can deadlock:");
  for (const std::size_t index : cycle.edges) {
    const edge_view& edge = all.edges[index];
    const auto stack = all.stacks.find(edge.stack);
    const code_frame* const frame = stack == all.stacks.end() ? nullptr : telling_frame(stack->second);
    text += fmt::format("<li><b>{}</b> then <b>{}</b> in {}</li>", escaped(all.locks[edge.from].name),
                        escaped(all.locks[edge.to].name),
                        escaped(frame == nullptr ? "(stack not recorded)" : frame_text(*frame)));
  }
  return text + "</ul></div>";
}

std::string table_html(const profile& all, std::size_t top) {
  std::string rows;
  for (std::size_t i = 0; i < all.locks.size() && i < top; ++i) {
    const auto& lock = all.locks[i];
    rows += fmt::format(
        "<tr><th scope=\"row\"><a "
        "href=\"#lock-{}\">{}</a></th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td></tr>",
        i, escaped(report::truncated(lock.name, 60)), lock.acquisitions, lock.contended, seconds(lock.wait),
        seconds(lock.mean_wait()), seconds(lock.longest_wait), seconds(lock.mean_hold),
        seconds(lock.longest_hold), lock.longest_queue);
  }
  return "<div "
         "class=\"scroll\"><table><thead><tr><th>lock</th><th>taken</th><th>contended</th><th>waited</th>"
         "<th>mean wait</th><th>longest wait</th><th>mean hold</th><th>longest "
         "hold</th><th>queue</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>";
}

std::string lock_html(const profile& all, const lock_view& lock, std::size_t i) {
  std::string text = fmt::format("<section class=\"card\" id=\"lock-{}\"><h2>{}</h2>", i, escaped(lock.name));
  text += fmt::format(
      "<p class=\"shows\">First taken in {}. {}, {}, longest queue {}, {}, {}, {}.",
      escaped(lock.site.empty() ? "an unknown place" : lock.site), counted(lock.mutexes, "mutex", "mutexes"),
      counted(lock.owner_changes, "change of owner", "changes of owner"), lock.longest_queue,
      counted(lock.try_failures, "failed try", "failed tries"), counted(lock.timeouts, "timeout", "timeouts"),
      counted(lock.condition_waits, "condition wait", "condition waits"));
  if (lock.wait > 0)
    text += fmt::format(" Of {} of waiting, {} was for a holder; the rest was hand-over.", seconds(lock.wait),
                        seconds(std::min(lock.blamed, lock.wait)));
  text += "</p>";
  text += histogram_svg(lock.waits, "How long threads waited") +
          histogram_svg(lock.holds, "How long it was held");
  text += stacks_html(all, lock.blamed_at, "Held there while others waited");
  text += stacks_html(all, lock.waiters, "Waited there");
  text += stacks_html(all, lock.holders, "Held there, whether or not others waited");
  return text + "</section>\n";
}

}  // namespace

std::string html_of(const profile& all, const view_options& options) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"light\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += fmt::format("<title>{} – Hemlock lock profile</title>\n<style>\n{}{}</style>\n</head>\n<body>\n",
                      escaped(report::truncated(all.command, 60)), report::asset::page_css, page_style);
  page += fmt::format(
      "<header class=\"top\"><h1>{}<small>{}, process {}, {}; lock {}</small></h1>"
      "<button type=\"button\" id=\"theme\">dark</button></header>\n<main>\n",
      escaped(verdict_of(all, options.order)), escaped(report::truncated(all.command, 80)),
      all.header.process, report::quantity(all.seconds, "s"), escaped(all.header.lock));
  if (!all.warnings.empty() || !all.closed) {
    page += "<section class=\"card warnings\"><h2>Read with care</h2><ul>";
    if (!all.closed)
      page += "<li>The program did not end by itself: this is what was recorded until then.</li>";
    for (const auto& warning : all.warnings) page += fmt::format("<li>{}</li>", escaped(warning));
    page += "</ul></section>\n";
  }
  page += "<section class=\"card\"><h2>Locks</h2>" + table_html(all, std::max<std::size_t>(options.top, 50)) +
          "</section>\n";
  page += "<section class=\"card\"><h2>Lock order</h2>";
  for (const auto& cycle : all.cycles) page += circle_html(all, cycle);
  page += order_svg(all) + "</section>\n";
  for (std::size_t i = 0; i < all.locks.size() && i < std::max<std::size_t>(options.top, 50); ++i)
    page += lock_html(all, all.locks[i], i);
  page += fmt::format(
      "<section class=\"card\"><h2>Threads</h2><p>{} threads; at most {} locks held at once; {} lock calls "
      "with another "
      "lock held; at most {} threads waiting directly behind one, on one Grant.</p></section>\n",
      all.threads.size(), all.most_held, all.nested_calls, all.most_followers);
  return page + fmt::format("</main>\n<footer>Recorded by hemlock {}.</footer>\n{}</body>\n</html>\n",
                            escaped(all.header.tool_version), theme_script);
}

}  // namespace hemlock::profile
