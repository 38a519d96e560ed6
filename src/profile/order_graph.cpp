#include "profile/order_graph.hpp"

#include <algorithm>
#include <deque>
#include <set>

namespace hemlock::profile {
namespace {

constexpr std::size_t none = ~std::size_t{0};

/// Edges of the shortest way, or nothing.
std::vector<std::size_t> shortest_way(const std::vector<edge_view>& edges,
                                      const std::vector<std::vector<std::size_t>>& leaving, std::size_t from,
                                      std::size_t to) {
  std::vector<std::size_t> came_by(leaving.size(), none);
  std::deque<std::size_t> next{from};
  while (!next.empty()) {
    const std::size_t here = next.front();
    next.pop_front();
    for (const std::size_t edge : leaving[here]) {
      const std::size_t there = edges[edge].to;
      if (there == from || came_by[there] != none) continue;
      came_by[there] = edge;
      if (there == to) {
        std::vector<std::size_t> way;
        for (std::size_t at = to; at != from; at = edges[came_by[at]].from) way.push_back(came_by[at]);
        std::reverse(way.begin(), way.end());
        return way;
      }
      next.push_back(there);
    }
  }
  return {};
}

}  // namespace

std::vector<cycle_view> find_cycles(const std::vector<edge_view>& edges, std::size_t locks,
                                    std::size_t most) {
  std::vector<std::vector<std::size_t>> leaving(locks);
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].from != edges[i].to) leaving[edges[i].from].push_back(i);
  std::set<std::vector<std::size_t>> seen;
  std::vector<cycle_view> found;
  for (std::size_t i = 0; i < edges.size() && found.size() < most; ++i) {
    if (edges[i].from == edges[i].to || leaving[edges[i].to].empty()) continue;
    const auto back = shortest_way(edges, leaving, edges[i].to, edges[i].from);
    if (back.empty()) continue;
    cycle_view cycle;
    cycle.edges.push_back(i);
    cycle.edges.insert(cycle.edges.end(), back.begin(), back.end());
    auto sorted = cycle.edges;
    std::sort(sorted.begin(), sorted.end());
    if (!seen.insert(sorted).second) continue;
    cycle.one_thread = std::all_of(cycle.edges.begin(), cycle.edges.end(), [&](std::size_t edge) {
      return !edges[edge].several_threads && edges[edge].thread == edges[i].thread;
    });
    cycle.guarded = edges[i].guard != 0 &&
                    std::all_of(cycle.edges.begin(), cycle.edges.end(),
                                [&](std::size_t edge) { return edges[edge].guard == edges[i].guard; });
    found.push_back(std::move(cycle));
  }
  return found;
}

}  // namespace hemlock::profile
