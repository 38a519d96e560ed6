#include "bench/study.hpp"

#include <algorithm>
#include <exception>
#include <random>

namespace hemlock::bench {
namespace {

/// Series and points appear in the order of the trials, not in the order of chance.
void lay_out(study& what) {
  for (const auto& each : what.trials)
    for (auto& figure : what.figures) figure.in(each.series).at(each.x).marks = each.marks;
}

/// A figure in which this trial never has a value should not show an empty row for it.
void drop_empty(study& what) {
  for (auto& figure : what.figures) {
    for (auto& line : figure.series)
      std::erase_if(line.points, [](const report::point& p) {
        return p.samples.empty() && p.failures.empty() && p.marks.empty();
      });
    std::erase_if(figure.series, [](const report::series& line) { return line.points.empty(); });
  }
}

bool measure(study& what, const trial& each, std::uint64_t seed) {
  try {
    const auto values = each.once(seed);
    if (!values) return false;
    for (std::size_t i = 0; i < what.figures.size() && i < values->size(); ++i)
      if ((*values)[i]) what.figures[i].in(each.series).at(each.x).samples.push_back(*(*values)[i]);
  } catch (const std::exception& error) {
    for (auto& figure : what.figures) figure.in(each.series).at(each.x).failures.emplace_back(error.what());
  }
  return true;
}

}  // namespace

bool conduct(study& what, int runs, std::uint64_t seed, const watcher& watch) {
  lay_out(what);
  std::vector<const trial*> order;
  for (const auto& each : what.trials)
    if (each.once) order.push_back(&each);
  const std::size_t all = order.size() * static_cast<std::size_t>(runs);
  std::size_t done = 0;
  bool whole = true;
  std::mt19937_64 chance(seed);
  for (int run = 0; run < runs && whole; ++run) {
    std::shuffle(order.begin(), order.end(), chance);
    for (const trial* each : order) {
      watch.before(*each, done++, all);
      if (watch.interrupted() || !measure(what, *each, chance())) {
        whole = false;
        break;
      }
    }
  }
  drop_empty(what);
  return whole;
}

}  // namespace hemlock::bench
