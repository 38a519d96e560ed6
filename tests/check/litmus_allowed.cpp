// RC11's axioms, tried on every candidate execution: slow, simple, and written without a look at the explorer.
#include <algorithm>
#include <map>

#include "check/litmus.hpp"

namespace litmus {
namespace {

using relation = std::vector<std::vector<bool>>;

struct node {
  int thread;  ///< -1: the initial write of a word
  int index;
  instruction what;
};

class candidate {
public:
  candidate(const std::vector<node>& nodes, const std::vector<int>& source, const std::vector<int>& place)
      : nodes_(nodes), source_(source), place_(place), n_(static_cast<int>(nodes.size())) {}

  bool consistent() {
    sb_ = make([&](int a, int b) {
      if (nodes_[at(a)].thread == -1) return nodes_[at(b)].thread != -1;
      return nodes_[at(a)].thread == nodes_[at(b)].thread && nodes_[at(a)].index < nodes_[at(b)].index;
    });
    rf_ = make([&](int a, int b) { return source_[at(b)] == a; });
    if (cyclic(closed(either(sb_, rf_)))) return false;
    mo_ = make([&](int a, int b) {
      return writes(a) && writes(b) && same_word(a, b) && place_[at(a)] < place_[at(b)];
    });
    rb_ = make([&](int a, int b) {
      return a != b && source_[at(a)] >= 0 && writes(b) && same_word(a, b) &&
             place_[at(source_[at(a)])] < place_[at(b)];
    });
    // Atomicity: nothing between a read-modify-write and what it read.
    for (int u = 0; u < n_; ++u)
      if (source_[at(u)] >= 0 && writes(u) && place_[at(u)] != place_[at(source_[at(u)])] + 1) return false;
    hb_ = closed(either(sb_, synchronises()));
    eco_ = closed(either(either(rf_, mo_), rb_));
    for (int a = 0; a < n_; ++a) {
      if (hb_[at(a)][at(a)]) return false;
      for (int b = 0; b < n_; ++b)
        if (hb_[at(a)][at(b)] && eco_[at(b)][at(a)]) return false;
    }
    return !cyclic(closed(psc()));
  }

private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] bool writes(int a) const { return nodes_[at(a)].what.writes(); }
  [[nodiscard]] bool reads(int a) const { return nodes_[at(a)].what.reads(); }
  [[nodiscard]] bool fence(int a) const { return nodes_[at(a)].what.kind == instruction::fence; }
  [[nodiscard]] std::memory_order order(int a) const { return nodes_[at(a)].what.order; }
  [[nodiscard]] bool releases(int a) const { return order(a) == rel || order(a) == ar || order(a) == sc; }
  [[nodiscard]] bool acquires(int a) const { return order(a) == acq || order(a) == ar || order(a) == sc; }
  [[nodiscard]] bool seq(int a) const { return nodes_[at(a)].thread != -1 && order(a) == sc; }
  [[nodiscard]] bool same_word(int a, int b) const {
    return !fence(a) && !fence(b) && nodes_[at(a)].what.word == nodes_[at(b)].what.word;
  }

  template <class Holds>
  [[nodiscard]] relation make(Holds holds) const {
    relation made(at(n_), std::vector<bool>(at(n_)));
    for (int a = 0; a < n_; ++a)
      for (int b = 0; b < n_; ++b) made[at(a)][at(b)] = holds(a, b);
    return made;
  }
  [[nodiscard]] relation either(const relation& one, const relation& two) const {
    return make([&](int a, int b) { return one[at(a)][at(b)] || two[at(a)][at(b)]; });
  }
  [[nodiscard]] relation then(const relation& one, const relation& two) const {
    relation made(at(n_), std::vector<bool>(at(n_)));
    for (int a = 0; a < n_; ++a)
      for (int k = 0; k < n_; ++k)
        if (one[at(a)][at(k)])
          for (int b = 0; b < n_; ++b)
            if (two[at(k)][at(b)]) made[at(a)][at(b)] = true;
    return made;
  }
  template <class Keeps>
  [[nodiscard]] relation only(Keeps keeps) const {
    return make([&](int a, int b) { return a == b && keeps(a); });
  }
  [[nodiscard]] relation maybe(const relation& one) const {
    return make([&](int a, int b) { return a == b || one[at(a)][at(b)]; });
  }
  [[nodiscard]] relation closed(relation one) const {
    for (int k = 0; k < n_; ++k)
      for (int a = 0; a < n_; ++a)
        if (one[at(a)][at(k)])
          for (int b = 0; b < n_; ++b)
            if (one[at(k)][at(b)]) one[at(a)][at(b)] = true;
    return one;
  }
  [[nodiscard]] bool cyclic(const relation& one) const {
    for (int a = 0; a < n_; ++a)
      if (one[at(a)][at(a)]) return true;
    return false;
  }

  [[nodiscard]] relation synchronises() const {
    const relation rmw_step = then(rf_, only([&](int a) { return reads(a) && writes(a); }));
    const relation chain = maybe(closed(rmw_step));  // C++20: read-modify-writes only
    const relation from = either(only([&](int a) { return writes(a) && releases(a); }),
                                 then(then(only([&](int a) { return fence(a) && releases(a); }), sb_),
                                      only([&](int a) { return writes(a); })));
    const relation to = either(only([&](int a) { return reads(a) && acquires(a); }),
                               then(then(only([&](int a) { return reads(a); }), sb_),
                                    only([&](int a) { return fence(a) && acquires(a); })));
    return then(then(then(from, chain), rf_), to);
  }

  [[nodiscard]] relation psc() const {
    const relation other_word = make([&](int a, int b) { return sb_[at(a)][at(b)] && !same_word(a, b); });
    const relation hb_word = make([&](int a, int b) { return hb_[at(a)][at(b)] && same_word(a, b); });
    const relation scb =
        either(either(either(sb_, then(then(other_word, hb_), other_word)), hb_word), either(mo_, rb_));
    const relation events = only([&](int a) { return seq(a); });
    const relation fences = only([&](int a) { return seq(a) && fence(a); });
    const relation base =
        then(then(either(events, then(fences, maybe(hb_))), scb), either(events, then(maybe(hb_), fences)));
    const relation between = then(then(fences, either(hb_, then(then(hb_, eco_), hb_))), fences);
    return either(base, between);
  }

  const std::vector<node>& nodes_;
  const std::vector<int>& source_;
  const std::vector<int>& place_;
  int n_;
  relation sb_, rf_, mo_, rb_, hb_, eco_;
};

class enumeration {
public:
  explicit enumeration(const program& what) : what_(what) {
    for (int word = 0; word < words; ++word) nodes_.push_back({-1, 0, w(word, 0, rlx)});
    for (std::size_t t = 0; t < what.size(); ++t)
      for (std::size_t i = 0; i < what[t].size(); ++i)
        nodes_.push_back({static_cast<int>(t), static_cast<int>(i), what[t][i]});
    source_.assign(nodes_.size(), -1);
    place_.assign(nodes_.size(), 0);
  }

  outcomes all() {
    choose_order(0);
    return found_;
  }

private:
  void choose_order(int word) {
    if (word == words) return choose_source(0);
    std::vector<std::size_t> writers;
    for (std::size_t i = words; i < nodes_.size(); ++i)
      if (nodes_[i].what.writes() && nodes_[i].what.word == word) writers.push_back(i);
    std::sort(writers.begin(), writers.end());
    do {
      place_[static_cast<std::size_t>(word)] = 0;
      for (std::size_t i = 0; i < writers.size(); ++i) place_[writers[i]] = static_cast<int>(i) + 1;
      choose_order(word + 1);
    } while (std::next_permutation(writers.begin(), writers.end()));
  }

  void choose_source(std::size_t event) {
    if (event == nodes_.size()) return judge();
    if (!nodes_[event].what.reads()) return choose_source(event + 1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (i == event || !nodes_[i].what.writes() || nodes_[i].what.word != nodes_[event].what.word) continue;
      source_[event] = static_cast<int>(i);
      choose_source(event + 1);
    }
    source_[event] = -1;
  }

  int written(std::size_t event) {
    const auto& what = nodes_[event].what;
    return what.kind == instruction::add ? read_by(event) + what.value : what.value;
  }
  int read_by(std::size_t event) { return written(static_cast<std::size_t>(source_[event])); }

  void judge() {
    if (!candidate(nodes_, source_, place_).consistent()) return;
    std::string text;
    for (std::size_t i = words; i < nodes_.size(); ++i)
      if (nodes_[i].what.reads()) text += std::to_string(read_by(i));
    text += "|";
    for (int word = 0; word < words; ++word) {
      std::size_t last = static_cast<std::size_t>(word);
      for (std::size_t i = words; i < nodes_.size(); ++i)
        if (nodes_[i].what.writes() && nodes_[i].what.word == word && place_[i] > place_[last]) last = i;
      text += std::to_string(written(last));
    }
    found_.insert(text);
  }

  const program& what_;
  std::vector<node> nodes_;
  std::vector<int> source_;
  std::vector<int> place_;
  outcomes found_;
};

}  // namespace

outcomes allowed(const program& what) {
  return enumeration(what).all();
}

}  // namespace litmus
