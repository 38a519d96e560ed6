#include "check/sequential.hpp"

#include <bitset>
#include <vector>

// psc_base = ([E] u [F];hb?) ; scb ; ([E] u hb?;[F])   with E the seq_cst events, F the seq_cst fences
// scb      = sb u (sb to another word ; hb ; sb to another word) u (hb on one word) u mo u rb
// psc_F    = [F] ; (hb u hb;eco;hb) ; [F]
namespace hemlock::check {
namespace {

using row = std::bitset<max_events>;

class graph {
public:
  explicit graph(const memory& mem) : events_(mem.events), count_(mem.events.size()), place_(count_, 0) {
    for (std::size_t word = 0; word < mem.atoms.size(); ++word)
      for (std::size_t i = 0; i < mem.atoms[word].count; ++i) {
        const auto writer = mem.at(word, i).event;
        if (writer >= 0) place_[static_cast<std::size_t>(writer)] = static_cast<int>(i);
      }
    for (std::size_t e = 0; e < count_; ++e)
      if (events_[e].kind == event::read && events_[e].source >= 0)
        place_[e] = place_[static_cast<std::size_t>(events_[e].source)];
  }

  [[nodiscard]] bool has_cycle() const {
    std::vector<std::size_t> nodes;
    for (std::size_t e = 0; e < count_; ++e)
      if (events_[e].order == std::memory_order_seq_cst) nodes.push_back(e);
    std::vector<row> after(count_);
    for (const std::size_t a : nodes)
      for (const std::size_t b : nodes)
        if (edge(a, b)) after[a].set(b);
    for (const std::size_t k : nodes)
      for (const std::size_t a : nodes)
        if (after[a][k]) after[a] |= after[k];
    for (const std::size_t a : nodes)
      if (after[a][a]) return true;
    return false;
  }

private:
  [[nodiscard]] bool hb(std::size_t a, std::size_t b) const {
    return ((events_[b].before[a / 64] >> (a % 64)) & 1U) != 0;
  }
  [[nodiscard]] bool sb(std::size_t a, std::size_t b) const {
    return a < b && events_[a].thread == events_[b].thread;
  }
  [[nodiscard]] bool same_word(std::size_t a, std::size_t b) const {
    return events_[a].where != 0 && events_[a].where == events_[b].where;
  }
  [[nodiscard]] bool writes(std::size_t e) const {
    return events_[e].kind == event::write || events_[e].kind == event::update;
  }
  [[nodiscard]] bool is_fence(std::size_t e) const { return events_[e].kind == event::fence; }

  /// mo: both write. rb: a reads something older than what b writes. An update is both.
  [[nodiscard]] bool mo_or_rb(std::size_t a, std::size_t b) const {
    return a != b && same_word(a, b) && writes(b) && place_[a] < place_[b];
  }
  [[nodiscard]] bool eco(std::size_t a, std::size_t b) const {
    if (a == b || !same_word(a, b)) return false;
    return writes(a) && events_[b].kind == event::read ? place_[a] <= place_[b] : place_[a] < place_[b];
  }
  [[nodiscard]] bool scb(std::size_t a, std::size_t b) const {
    if (a == b) return false;
    if (sb(a, b) || mo_or_rb(a, b) || (same_word(a, b) && hb(a, b))) return true;
    if (!hb(a, b)) return false;
    for (std::size_t x = 0; x < count_; ++x)
      if (sb(a, x) && !same_word(a, x))
        for (std::size_t y = 0; y < count_; ++y)
          if (sb(y, b) && !same_word(y, b) && hb(x, y)) return true;
    return false;
  }
  [[nodiscard]] bool edge(std::size_t a, std::size_t b) const {
    if (scb(a, b)) return true;
    const bool from_fence = is_fence(a);
    const bool to_fence = is_fence(b);
    if (!from_fence && !to_fence) return false;
    if (from_fence && to_fence && hb(a, b)) return true;
    for (std::size_t x = 0; x < count_; ++x) {
      const bool leaves = x == a || (from_fence && hb(a, x));
      if (!leaves) continue;
      for (std::size_t y = 0; y < count_; ++y) {
        const bool arrives = y == b || (to_fence && hb(y, b));
        if (!arrives) continue;
        if (scb(x, y)) return true;
        if (from_fence && to_fence && x != a && y != b && eco(x, y)) return true;
      }
    }
    return false;
  }

  const boost::container::static_vector<event, max_events>& events_;
  std::size_t count_;
  std::vector<int> place_;
};

}  // namespace

bool sequentially_consistent(const memory& mem) {
  return !graph(mem).has_cycle();
}

}  // namespace hemlock::check
