#include <fmt/format.h>

#include <algorithm>

#include "profile/views.hpp"
#include "report/table.hpp"

namespace hemlock::profile {
namespace {

using report::align;
using report::painted;
using report::tone;

constexpr std::size_t columns = 100;

std::string seconds(double nanoseconds) {
  return nanoseconds <= 0 ? "-" : report::quantity(nanoseconds / 1e9, "s");
}
std::string seconds(std::uint64_t nanoseconds) {
  return seconds(static_cast<double>(nanoseconds));
}
std::string counted(std::uint64_t number) {
  return number < 100'000 ? fmt::format("{}", number) : report::short_quantity(static_cast<double>(number));
}
std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  const double share = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return share >= 99.95  ? "100 %"
         : share >= 9.95 ? fmt::format("{:.0f} %", share)
                         : fmt::format("{:.1f} %", share);
}

/// Broken at blanks, the second and later lines indented; a word that is too long for a line is broken anywhere.
std::string wrapped(const std::string& text) {
  std::string lines;
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string word = text.substr(at, end - at);
    at = end + 1;
    while (true) {
      const std::size_t long_word = report::display_width(word);
      const std::size_t blank = width > 4 ? 1 : 0;
      if (width + blank + long_word <= columns) {
        lines += (blank != 0 ? " " : "") + word;
        width += blank + long_word;
        break;
      }
      if (long_word > columns - 4 && width + blank < columns) {
        const std::size_t room = columns - width - blank;
        lines += (blank != 0 ? " " : "") + word.substr(0, room);
        word.erase(0, room);
      }
      lines += "\n    ";
      width = 4;
    }
  }
  return lines;
}

std::string what(order_by order) {
  return order == order_by::wait ? "waiting" : order == order_by::hold ? "holding" : "contended acquisitions";
}

/// The chain of callers in one line: the innermost first.
std::string chain(const profile& all, place stack, std::size_t width) {
  const auto found = all.stacks.find(stack);
  if (found == all.stacks.end() || found->second.empty()) return "(stack not recorded)";
  const code_frame* const first = telling_frame(found->second);
  std::string text = frame_text(*first);
  std::string last = short_function(first->function);
  for (const code_frame* at = first + 1; at <= &found->second.back(); ++at) {
    const std::string next = short_function(at->function);
    if (next == last || at->function.starts_with("std::")) continue;
    if (report::display_width(text) + next.size() + 3 > width) break;
    text += " < " + next;
    last = next;
  }
  return report::truncated(text, width);
}

void add_parts(std::string& text, const profile& all, const std::vector<stack_part>& parts, const char* title,
               std::size_t most, bool colour) {
  std::uint64_t whole = 0;
  for (const auto& part : parts) whole += part.time;
  for (std::size_t i = 0; i < parts.size() && i < most; ++i) {
    if (i > 0 && whole > 0 && parts[i].time * 100 < whole) break;
    const std::string head =
        fmt::format("    {:<11}{:>6}  ", i == 0 ? title : "", percent(parts[i].time, whole));
    text += painted(head, tone::faint, colour) + chain(all, parts[i].stack, columns - head.size()) + '\n';
  }
}

std::string table_of(const profile& all, const view_options& options) {
  report::table table{{{"lock", align::left},
                       {"taken"},
                       {"contended"},
                       {"waited"},
                       {"mean wait"},
                       {"longest"},
                       {"mean hold"},
                       {"queue"}}};
  std::size_t shown = 0;
  for (const auto& lock : all.locks) {
    if (shown++ == options.top) break;
    table.row(
        {report::truncated(lock.name, 34), counted(lock.acquisitions),
         lock.contended == 0
             ? "-"
             : fmt::format("{} {:>6}", counted(lock.contended), percent(lock.contended, lock.acquisitions)),
         seconds(lock.wait), seconds(lock.mean_wait()), seconds(lock.longest_wait), seconds(lock.mean_hold),
         lock.longest_queue == 0 ? "-" : fmt::format("{}", lock.longest_queue)});
  }
  return table.text(options.colour);
}

std::string details_of(const profile& all, const view_options& options) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& lock : all.locks) {
    if (shown == std::min<std::size_t>(options.top, 5)) break;
    if (weight_of(lock, options.order) == 0) break;
    ++shown;
    text += '\n' + painted(report::truncated(lock.name, columns), tone::strong, options.colour) + '\n';
    std::string facts = lock.mutexes > 1 ? fmt::format("{} mutexes, ", lock.mutexes) : "";
    if (lock.wait > 0)
      facts += fmt::format("{} of its waiting was for a holder, {} hand-over; ",
                           percent(std::min(lock.blamed, lock.wait), lock.wait),
                           percent(lock.wait - std::min(lock.blamed, lock.wait), lock.wait));
    facts += fmt::format("{} owner changes", counted(lock.owner_changes));
    if (lock.try_failures > 0) facts += fmt::format(", {} failed tries", counted(lock.try_failures));
    if (lock.timeouts > 0) facts += fmt::format(", {} timeouts", counted(lock.timeouts));
    if (lock.condition_waits > 0)
      facts += fmt::format(", {} condition waits ({})", counted(lock.condition_waits),
                           seconds(lock.condition_time));
    text += "    " + painted(report::truncated(facts, columns - 4), tone::faint, options.colour) + '\n';
    if (!lock.site.empty() && lock.name.find(lock.site) == std::string::npos)
      text += painted("    first taken       ", tone::faint, options.colour) +
              report::truncated(lock.site, columns - 22) + '\n';
    add_parts(text, all, lock.blamed_at, "held by", 3, options.colour);
    add_parts(text, all, lock.waiters, "waited in", 3, options.colour);
    if (options.order == order_by::hold || lock.blamed_at.empty())
      add_parts(text, all, lock.holders, "held in", 3, options.colour);
  }
  return text;
}

std::string cycles_of(const profile& all, const view_options& options) {
  std::string text;
  for (const auto& cycle : all.cycles) {
    const char* const verdict = cycle.guarded      ? "a circle, but always under one outer lock"
                                : cycle.one_thread ? "a circle, but so far by one thread alone"
                                                   : "these can deadlock";
    text += '\n' +
            painted(fmt::format("Lock order: {}", verdict),
                    cycle.guarded || cycle.one_thread ? tone::strong : tone::bad, options.colour) +
            '\n';
    for (const std::size_t index : cycle.edges) {
      const edge_view& edge = all.edges[index];
      text +=
          report::truncated(fmt::format("    {} then {}", report::truncated(all.locks[edge.from].name, 40),
                                        report::truncated(all.locks[edge.to].name, 40)),
                            columns) +
          '\n';
      text +=
          painted("        in ", tone::faint, options.colour) + chain(all, edge.stack, columns - 11) + '\n';
    }
  }
  return text;
}

std::string run_of(const profile& all) {
  std::string text = report::truncated(all.command, 50);
  text += fmt::format(", process {}, {}", all.header.process, report::quantity(all.seconds, "s"));
  text += fmt::format("; lock {}", all.header.lock);
  text +=
      all.header.sample <= 1 ? "; every hold timed" : fmt::format("; 1 hold in {} timed", all.header.sample);
  return report::truncated(text, columns);
}

std::string threads_of(const profile& all) {
  std::string text =
      fmt::format("{} thread{}; at most {} lock{} held at once; {} lock call{} with another lock held",
                  all.threads.size(), all.threads.size() == 1 ? "" : "s", all.most_held,
                  all.most_held == 1 ? "" : "s", counted(all.nested_calls), all.nested_calls == 1 ? "" : "s");
  if (all.nested_calls > 0 && all.last_nested > 0)
    text += fmt::format(",\nthe last of them {} after the start", seconds(all.last_nested));
  text += fmt::format(";\nat most {} thread{} waiting directly behind one (on one Grant).",
                      all.most_followers, all.most_followers == 1 ? "" : "s");
  return text;
}

std::string next_of(const profile& all, const view_options& options) {
  const std::string path = options.path.empty() ? "FILE" : options.path;
  std::string text = "Next: ";
  if (!all.cycles.empty())
    text += fmt::format("hemlock report {} --dot order.dot    the lock order as a graph\n      ", path);
  else if (all.total_wait > 0 && options.order == order_by::wait)
    text += fmt::format("hemlock report {} --folded wait.folded    for a flame graph of the waiting\n      ",
                        path);
  else if (options.order != order_by::hold)
    text += fmt::format("hemlock report {} --by hold    who keeps locks longest\n      ", path);
  text += fmt::format("hemlock report {} --html page.html    all of it, with histograms\n", path);
  return text;
}

}  // namespace

std::string verdict_of(const profile& all, order_by order) {
  const std::size_t count = all.locks.size();
  if (count == 0) return "No mutex was locked.";
  std::uint64_t whole = 0;
  for (const auto& lock : all.locks) whole += weight_of(lock, order);
  if (whole == 0)
    return fmt::format("Nobody waited: {} acquisitions of {} mutex{}, none contended.",
                       counted(all.total_acquisitions), count, count == 1 ? "" : "es");
  std::vector<std::uint64_t> weights;
  for (const auto& lock : all.locks) weights.push_back(weight_of(lock, order));
  std::sort(weights.rbegin(), weights.rend());
  std::uint64_t part = 0;
  std::size_t few = 0;
  while (few < count && part * 10 < whole * 9) part += weights[few++];
  std::string text = fmt::format("{} of {} mutex{} carr{} {} of the {}", few, count, count == 1 ? "" : "es",
                                 few == 1 ? "ies" : "y", percent(part, whole), what(order));
  if (order != order_by::contention) text += fmt::format(" ({} in all)", seconds(whole));
  return text + (few == 1 && all.locks.front().name.size() < 40 ? fmt::format(": {}.", all.locks.front().name)
                                                                : ".");
}

std::string text_of(const profile& all, const view_options& options) {
  std::string text =
      painted(report::truncated(verdict_of(all, options.order), columns), tone::strong, options.colour) +
      '\n';
  text += painted(run_of(all), tone::faint, options.colour) + '\n';
  if (!all.closed)
    text += "The program did not end by itself, or still runs: this is what was recorded until then.\n";
  for (const auto& warning : all.warnings)
    text += painted(wrapped("Note: " + warning), tone::bad, options.colour) + '\n';
  if (!all.locks.empty()) {
    text += '\n' + table_of(all, options);
    if (all.locks.size() > options.top)
      text += fmt::format("... and {} more; --top {} shows them.\n", all.locks.size() - options.top,
                          all.locks.size());
    text += details_of(all, options) + cycles_of(all, options);
    text += '\n' + threads_of(all) + '\n';
  }
  if (!all.other_processes.empty()) {
    text += fmt::format("\n{} more process{} of this run:\n", all.other_processes.size(),
                        all.other_processes.size() == 1 ? "" : "es");
    for (std::size_t i = 0; i < all.other_processes.size() && i < 5; ++i)
      text += report::truncated("    hemlock report " + all.other_processes[i], columns) + '\n';
  }
  return text + '\n' + next_of(all, options);
}

}  // namespace hemlock::profile
