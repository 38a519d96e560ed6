// Text for other people's tools: collapsed stacks and Graphviz.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "profile/views.hpp"

namespace hemlock::profile {
namespace {

/// A semicolon separates frames, a blank ends them.
std::string one_frame(std::string name) {
  for (char& c : name)
    if (c == ';' || c == ' ' || c == '\n') c = c == ';' ? ':' : '_';
  return name;
}

std::string quoted(const std::string& text) {
  std::string safe = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe + '"';
}

}  // namespace

std::string folded_of(const profile& all, order_by order) {
  std::map<std::string, std::uint64_t> lines;
  for (const auto& lock : all.locks) {
    const bool by_hold = order == order_by::hold;
    for (const auto& part : by_hold ? lock.holders : lock.waiters) {
      std::string line;
      const auto stack = all.stacks.find(part.stack);
      if (stack != all.stacks.end())
        for (auto frame = stack->second.rbegin(); frame != stack->second.rend(); ++frame)
          line += one_frame(short_function(frame->function)) + ';';
      line += one_frame((by_hold ? "holding " : "waiting for ") + lock.name);
      lines[line] += order == order_by::contention ? part.count : (part.time + 999) / 1000;
    }
  }
  std::string text;
  for (const auto& [line, value] : lines) text += fmt::format("{} {}\n", line, value);
  return text;
}

std::string dot_of(const profile& all) {
  std::set<std::size_t> in_circle;
  for (const auto& cycle : all.cycles) in_circle.insert(cycle.edges.begin(), cycle.edges.end());
  std::string text =
      "digraph lock_order {\n  node [shape=box, fontname=\"sans-serif\"];\n  edge "
      "[fontname=\"sans-serif\"];\n";
  std::set<std::size_t> nodes;
  for (const auto& edge : all.edges) {
    nodes.insert(edge.from);
    nodes.insert(edge.to);
  }
  for (const std::size_t node : nodes)
    text += fmt::format("  l{} [label={}];\n", node, quoted(all.locks[node].name));
  for (std::size_t i = 0; i < all.edges.size(); ++i)
    text += fmt::format("  l{} -> l{} [label=\"{}\"{}];\n", all.edges[i].from, all.edges[i].to,
                        all.edges[i].count, in_circle.count(i) != 0 ? ", color=red, penwidth=2" : "");
  return text + "}\n";
}

}  // namespace hemlock::profile
