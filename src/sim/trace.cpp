#include "sim/trace.hpp"

#include <fmt/core.h>

#include "report/table.hpp"

namespace hemlock::sim {
namespace {

std::string what_happens(const trace_entry& each) {
  switch (each.what) {
    case trace_entry::step::takes_effect: {
      std::string text = fmt::format("{} \"{}\"", name_of(each.done.what), each.done.label);
      if (each.done.what == operation::kind::compare_exchange)
        text += each.done.succeeded ? " succeeds" : " fails";
      return text + (each.hit ? ", in its cache" : "");
    }
    case trace_entry::step::asks_to_read:
      return "miss: asks to read";
    case trace_entry::step::asks_to_own:
      return "miss: asks for ownership";
    case trace_entry::step::served:
    case trace_entry::step::arrives:
      break;
  }
  return "";
}

}  // namespace

std::string hand_over_table(const trace& seen) {
  if (seen.acquired_at == 0) return "no other thread got the lock during the run\n";
  report::table table({{"ns"},
                       {"A unlocks", report::align::left},
                       {"B waits", report::align::left},
                       {"line", report::align::left},
                       {"in A", report::align::left},
                       {"in B", report::align::left},
                       {"elsewhere", report::align::left}});
  const trace_entry* before = nullptr;
  int repeats = 0;
  for (const auto& each : seen.entries) {
    const bool by_a = each.cpu == seen.from_cpu;
    if (!by_a && each.cpu != seen.to_cpu) continue;
    const std::string text = what_happens(each);
    if (text.empty() || each.time < seen.unlocks_at) continue;
    // A wait loop that polls sees the same thing again and again.
    const bool again = before != nullptr && before->cpu == each.cpu && before->line == each.line &&
                       each.hit && before->hit && what_happens(*before) == text;
    before = &each;
    if (again && ++repeats > 1) continue;
    if (!again) repeats = 0;
    const auto a = static_cast<std::size_t>(seen.cache_of[seen.from_cpu]);
    const auto b = static_cast<std::size_t>(seen.cache_of[seen.to_cpu]);
    std::string others;
    for (std::size_t cache = 0; cache < each.states.size(); ++cache)
      if (cache != a && cache != b && each.states[cache] != 'I') others += each.states[cache];
    const auto name = seen.names.find(each.line);
    table.row({fmt::format("{:.1f}", to_ns(each.time - seen.unlocks_at)), by_a ? text : "", by_a ? "" : text,
               name != seen.names.end() ? name->second : fmt::format("line {}", each.line),
               std::string(1, each.states[a]), std::string(1, each.states[b]), others});
  }
  return table.text(false) + fmt::format("B is inside {:.1f} ns after A began to unlock.\n",
                                         to_ns(seen.acquired_at - seen.unlocks_at));
}

}  // namespace hemlock::sim
