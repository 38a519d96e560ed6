#include "check/explorer.hpp"

#include <algorithm>
#include <ctime>
#include <memory>

namespace hemlock::check {
namespace {

constexpr std::uint32_t no_state = 0xffffffff;

/// From keys to numbers; open addressing.
class key_table {
public:
  key_table() : slots_(1U << 12U) {}

  /// The state's number; `fresh` is given to it if it has none.
  std::uint32_t find_or_add(const state_key& key, std::uint32_t fresh, bool add = true) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    for (std::size_t i = key.high & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      auto& place = slots_[i];
      if (place.number == no_state) {
        if (add) {
          place = {key, fresh};
          ++used_;
        }
        return fresh;
      }
      if (place.key == key) return place.number;
    }
  }

private:
  struct slot {
    state_key key{};
    std::uint32_t number = no_state;
  };
  void grow() {
    std::vector<slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const auto& each : old) {
      if (each.number == no_state) continue;
      std::size_t i = each.key.high & (slots_.size() - 1);
      while (slots_[i].number != no_state) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = each;
    }
  }
  std::vector<slot> slots_;
  std::size_t used_ = 0;
};

class search {
public:
  search(engine& runs, const settings& how, const std::function<void(const exploration&)>& progress)
      : engine_(runs), settings_(how), progress_(progress) {}

  exploration go() {
    do {
      clear();
      engine_.begin(root_);
      if (engine_.wrong()) {
        found(engine_.wrong(), {});
      } else {
        explore_from(root_, no_state, {});
        while (!stopped() && !later_.empty()) explore_later();
      }
    } while (engine_.needs_restart());
    return result_;
  }

private:
  struct frame {
    state now;
    std::uint32_t number = no_state;
    std::uint32_t low = 0;
    bool leads_out = false;
    double executions = 0;
    std::vector<choice> choices;
    std::size_t next = 0;
    std::vector<address> spun_on;
    std::uint8_t spinners = 0;
  };
  struct known {
    std::uint32_t parent;
    choice how;
    bool open;  ///< on the stack of the strongly connected components
    double executions;
  };

  void clear() {
    result_ = {};
    known_.clear();
    table_ = std::make_unique<key_table>();
    later_keys_ = std::make_unique<key_table>();
    later_.clear();
    open_.clear();
    depth_ = 0;
  }

  [[nodiscard]] bool stopped() const { return result_.wrong || !result_.complete || engine_.needs_restart(); }

  void found(const violation& wrong, std::vector<choice> path) {
    result_.wrong = wrong;
    result_.path = std::move(path);
  }

  [[nodiscard]] std::vector<choice> path_to(std::uint32_t number) const {
    std::vector<choice> path;
    for (; number != no_state && known_[number].parent != no_state; number = known_[number].parent)
      path.push_back(known_[number].how);
    std::reverse(path.begin(), path.end());
    return path;
  }
  /// The path by which the frames got here: without memory there are no numbers, so it is kept beside.
  [[nodiscard]] std::vector<choice> path_here(const choice* last) const {
    std::vector<choice> path;
    if (settings_.remembers)
      path = path_to(frames_[depth_ - 1]->number);
    else
      for (std::size_t i = 0; i + 1 < depth_; ++i) path.push_back(frames_[i]->choices[frames_[i]->next - 1]);
    if (last != nullptr) path.push_back(*last);
    return path;
  }

  frame& push_frame() {
    if (depth_ == frames_.size()) frames_.push_back(std::make_unique<frame>());
    return *frames_[depth_++];
  }

  void open_frame(frame& top, std::uint32_t parent, const choice& how) {
    top.leads_out = false;
    top.executions = 0;
    top.next = 0;
    top.spun_on.clear();
    top.spinners = 0;
    ++result_.states;
    if (settings_.remembers) {
      top.number = static_cast<std::uint32_t>(known_.size());
      known_.push_back({parent, how, true, 0});
      open_.push_back(top.number);
    } else {
      top.number = no_state;
    }
    top.low = top.number;
    engine_.options(top.now, top.choices);
    if (result_.states >= settings_.max_states) result_.complete = false;
    if (progress_ && (result_.states & 0xffffU) == 0) progress_(result_);
  }

  void explore_from(const state& start, std::uint32_t parent, const choice& how) {
    const std::size_t floor = depth_;
    {
      frame& first = push_frame();
      first.now = start;
      if (settings_.remembers)
        table_->find_or_add(engine_.key_of(start), static_cast<std::uint32_t>(known_.size()));
      open_frame(first, parent, how);
    }
    while (depth_ > floor && !stopped()) {
      frame& top = *frames_[depth_ - 1];
      if (top.next < top.choices.size())
        take(top);
      else
        close(top, floor);
    }
    depth_ = floor;
  }

  void take(frame& top) {
    const choice chosen = top.choices[top.next++];
    frame& ahead = push_frame();
    --depth_;
    ++result_.transitions;
    const auto outcome = engine_.step(top.now, ahead.now, chosen);
    if (engine_.needs_restart()) return;
    if (outcome == engine::outcome::impossible) return;
    if (outcome == engine::outcome::wrong) return found(engine_.wrong(), path_here(&chosen));
    if (outcome == engine::outcome::back_where_it_was) {
      const auto& self = top.now.threads[chosen.thread];
      const auto bit = view::bit(chosen.thread);
      // Who is leaving a lock looks into its own mailbox, and who comes back may have to; the claims are about
      // those who wait for others.
      const bool leaves =
          std::any_of(self.locks.begin(), self.locks.end(), [](const auto& each) { return each.leaving; }) ||
          (settings_.claim == spinning::fere_local && region::get().owner(self.next.where) == chosen.thread);
      if ((top.spinners & bit) == 0 && !leaves) {
        top.spinners = static_cast<std::uint8_t>(top.spinners | bit);
        top.spun_on.push_back(self.next.where);
      }
      return;
    }
    if (ahead.now.all_finished()) {
      const violation wrong = engine_.finish(ahead.now);
      if (wrong) return found(wrong, path_here(&chosen));
      for (auto& each : engine_.outcomes) result_.outcomes.insert(std::move(each));
      engine_.outcomes.clear();
      if (!chosen.spurious) top.leads_out = true;
      top.executions += 1;
      return;
    }
    if (!settings_.remembers) {
      ++depth_;
      return open_frame(ahead, no_state, chosen);
    }
    const auto key = engine_.key_of(ahead.now);
    const auto fresh = static_cast<std::uint32_t>(known_.size());
    if (chosen
            .spurious) {  // nothing may rely on this step, so it must not count as a way out: explored apart
      if (table_->find_or_add(key, fresh, false) == fresh &&
          later_keys_->find_or_add(key, static_cast<std::uint32_t>(later_.size())) == later_.size())
        later_.push_back({top.number, chosen});
      return;
    }
    const std::uint32_t number = table_->find_or_add(key, fresh);
    if (number == fresh) {
      ++depth_;
      return open_frame(ahead, top.number, chosen);
    }
    if (known_[number].open) {
      top.low = std::min(top.low, number);
    } else {
      top.leads_out = true;
      top.executions += known_[number].executions;
    }
  }

  void close(frame& top, std::size_t floor) {
    if (const violation wrong = engine_.crowded(top.now, top.spun_on))
      return found(wrong, path_here(nullptr));
    const bool closes_component = !settings_.remembers || top.low == top.number;
    if (closes_component && !top.leads_out) return stuck(top);
    if (settings_.remembers) {
      known_[top.number].executions = top.executions;
      if (closes_component) {
        std::uint32_t number;
        do {
          number = open_.back();
          open_.pop_back();
          known_[number].open = false;
        } while (number != top.number);
      }
    }
    --depth_;
    if (depth_ == floor) {
      result_.executions += top.executions;
      return;
    }
    frame& below = *frames_[depth_ - 1];
    below.executions += top.executions;
    below.leads_out = below.leads_out || closes_component || top.leads_out;
    if (!closes_component) below.low = std::min(below.low, top.low);
  }

  void stuck(const frame& top) {
    const bool spins =
        std::any_of(top.now.threads.begin(), top.now.threads.end(), [](const thread_state& each) {
          return each.next.what != action::finished && each.asleep == thread_state::sleep::awake &&
                 each.loop != 0;
        });
    found({spins ? violation_kind::livelock : violation_kind::deadlock, engine_.describe_stuck(top.now)},
          path_here(nullptr));
  }

  void explore_later() {
    const auto [number, chosen] = later_.back();
    later_.pop_back();
    const auto path = path_to(number);
    state here = root_;
    state next;
    for (const auto& each : path) {
      engine_.step(here, next, each);
      std::swap(here, next);
    }
    ++result_.transitions;
    if (engine_.step(here, next, chosen) == engine::outcome::wrong) {
      auto whole = path;
      whole.push_back(chosen);
      return found(engine_.wrong(), std::move(whole));
    }
    const auto fresh = static_cast<std::uint32_t>(known_.size());
    if (table_->find_or_add(engine_.key_of(next), fresh, false) != fresh) return;
    explore_from(next, number, chosen);
  }

  engine& engine_;
  const settings& settings_;
  const std::function<void(const exploration&)>& progress_;
  exploration result_;
  state root_;
  std::vector<std::unique_ptr<frame>> frames_;
  std::size_t depth_ = 0;
  std::vector<known> known_;
  std::vector<std::uint32_t> open_;
  std::unique_ptr<key_table> table_;
  std::unique_ptr<key_table> later_keys_;
  std::vector<std::pair<std::uint32_t, choice>> later_;
};

/// The processor's time: each program has a process of its own, and a busy machine should not show in the tables.
double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void tell_steps(engine& runs, const std::vector<choice>& path, exploration& result) {
  state here;
  state next;
  do {
    result.steps.clear();
    runs.trace = &result.steps;
    runs.begin(here);
    for (const auto& each : path) {
      if (runs.step(here, next, each) == engine::outcome::wrong) break;
      if (runs.needs_restart()) break;
      std::swap(here, next);
    }
  } while (runs.needs_restart());
  if (!runs.wrong() && here.all_finished()) static_cast<void>(runs.finish(here));
  if (!runs.wrong() && !here.all_finished())
    result.steps.push_back("      " + std::string(result.wrong ? name_of(result.wrong.kind) : "here") + ": " +
                           runs.describe_stuck(here));
  runs.trace = nullptr;
}

}  // namespace

exploration explore(program& what, const settings& how,
                    const std::function<void(const exploration&)>& progress) {
  const std::clock_t start = std::clock();
  engine runs(what, how);
  exploration result = search(runs, how, progress).go();
  result.operations = runs.operations();
  result.seconds = seconds_since(start);
  if (result.wrong) tell_steps(runs, result.path, result);
  return result;
}

exploration replay(program& what, const settings& how, const std::vector<choice>& path) {
  engine runs(what, how);
  exploration result;
  result.path = path;
  tell_steps(runs, path, result);
  result.wrong = runs.wrong();
  return result;
}

}  // namespace hemlock::check
