// The engine's other half: which steps a state allows, and what each does.
#include <fmt/core.h>

#include <algorithm>

#include "check/engine.hpp"
#include "check/sequential.hpp"

namespace hemlock::check {
namespace {

constexpr std::uint16_t weak_failure = 0x4000;  ///< in an option: fails although it might succeed
constexpr std::uint16_t timeout = 0x4000;

using sleep = thread_state::sleep;

bool is_compare(action what) {
  return what == action::compare_exchange || what == action::compare_exchange_weak;
}

std::uint64_t updated(const request& wanted, std::uint64_t old) {
  std::uint64_t value = wanted.operand;
  if (wanted.what == action::add) value = old + wanted.operand;
  if (wanted.what == action::bit_or) value = old | wanted.operand;
  if (wanted.what == action::bit_and) value = old & wanted.operand;
  if (wanted.what == action::bit_xor) value = old ^ wanted.operand;
  return value & wanted.mask;
}

const char* action_name(action what) {
  switch (what) {
    case action::load:
      return "load";
    case action::store:
      return "store";
    case action::exchange:
      return "exchange";
    case action::add:
      return "fetch_add";
    case action::bit_or:
      return "fetch_or";
    case action::bit_and:
      return "fetch_and";
    case action::bit_xor:
      return "fetch_xor";
    case action::compare_exchange:
    case action::compare_exchange_weak:
      return "CAS";
    case action::fence:
      return "fence";
    case action::park:
    case action::park_until:
      return "park";
    case action::unpark_one:
      return "unpark_one";
    case action::unpark_all:
      return "unpark_all";
    case action::monitor_lock:
      return "monitor lock";
    case action::monitor_unlock:
      return "monitor unlock";
    case action::monitor_wait:
      return "monitor wait";
    case action::monitor_notify:
      return "monitor notify";
    case action::choose:
      return "choose";
    case action::again:
      return "look again";
    case action::finished:
      return "end";
  }
  return "";
}

/// Each index of the word that this request may pick; `each(option)`.
template <class Each>
void access_options(const memory& mem, std::size_t thread, const request& wanted, bool may_fail_weakly,
                    Each each) {
  const std::size_t word = mem.find_atom(wanted.where);
  if (word == memory::none) return each(std::size_t{0});  // a fault, or the initial value of a word made anew
  const std::size_t low = mem.oldest_readable(thread, word);
  const std::size_t count = mem.atoms[word].count;
  switch (wanted.what) {
    case action::load:
      for (std::size_t i = count; i-- > low;) each(i);
      return;
    case action::store:
      for (std::size_t i = count; i > low; --i)
        if (mem.can_insert(word, i)) each(i);
      return;
    case action::park:
    case action::park_until:
      for (std::size_t i = count; i-- > std::max<std::size_t>(low, mem.atoms[word].sleep_floor);) each(i);
      return;
    default:
      break;
  }
  for (std::size_t i = count; i-- > low;) {
    if (is_compare(wanted.what)) {
      const bool equal = (mem.at(word, i).value & wanted.mask) == wanted.expected;
      if (!equal || mem.can_update(word, i)) each(i);
      if (equal && may_fail_weakly) each(i | weak_failure);
    } else if (mem.can_update(word, i)) {
      each(i);
    }
  }
}

}  // namespace

const char* order_name(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "";
}

/// The ways in which one thread can go on. True if nothing that another thread does can depend on whether this step is
/// taken now or later: it may then be taken alone.
bool engine::thread_options(const state& from, std::size_t t, std::vector<choice>& all) const {
  const auto& self = from.threads[t];
  const auto& next = self.next;
  const auto add = [&](std::size_t option, bool spurious = false) {
    all.push_back({static_cast<std::uint8_t>(t), static_cast<std::uint16_t>(option), spurious});
  };
  if (self.asleep == sleep::parked || self.asleep == sleep::waiting) {
    if (next.what == action::park_until) add(timeout);
    if (from.spurious_left > 0) add(0, true);
    return false;
  }
  switch (next.what) {
    case action::finished:
      return false;
    case action::store:
      access_options(from.mem, t, next, false, add);
      return true;
    case action::fence:
    case action::monitor_unlock:
      add(0);
      return true;
    case action::choose:
      for (std::size_t i = 0; i < next.operand; ++i) add(i);
      return true;
    case action::again: {
      bool news = self.news || self.looked_at.empty();
      for (const address where : self.looked_at) {
        const std::size_t word = from.mem.find_atom(where);
        news = news || word == memory::none ||
               from.mem.oldest_readable(t, word) + 1U < from.mem.atoms[word].count;
      }
      if (news) add(0);
      return news;
    }
    case action::monitor_lock:
    case action::monitor_wait: {
      std::int8_t owner = -1;
      for (const auto& each : from.mem.monitors)
        if (each.where == next.where) owner = each.owner;
      const bool wants_it = next.what == action::monitor_lock || self.asleep == sleep::relocking;
      if (!wants_it || owner == -1) add(0);
      return false;
    }
    case action::monitor_notify:
    case action::unpark_all:
      add(0);
      return false;
    case action::unpark_one: {
      bool any = false;
      for (std::size_t other = 0; other < from.threads.size(); ++other)
        if (from.threads[other].asleep == sleep::parked && from.threads[other].next.where == next.where) {
          add(other);
          any = true;
        }
      if (!any) add(0);
      return false;
    }
    case action::compare_exchange_weak:
      access_options(from.mem, t, next, from.spurious_left > 0, add);
      return false;
    default:
      access_options(from.mem, t, next, false, add);
      return false;
  }
}

bool engine::can_go_on(const state& from, std::size_t t) const {
  if (from.threads[t].loop != 0) return false;  // it waits
  std::vector<choice> own;
  thread_options(from, t, own);
  return std::any_of(own.begin(), own.end(), [](const choice& each) { return !each.spurious; });
}

void engine::options(const state& from, std::vector<choice>& all) const {
  all.clear();
  for (std::size_t t = 0; t < from.threads.size(); ++t) {
    const std::size_t before = all.size();
    if (thread_options(from, t, all) && settings_.reduces) {
      all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before));
      return;
    }
  }
  if (settings_.max_preemptions < 0 || from.last_thread == 0xff ||
      from.preemptions < static_cast<unsigned>(settings_.max_preemptions))
    return;
  // The budget is spent: the thread that ran last goes on, unless it waits.
  if (can_go_on(from, from.last_thread))
    std::erase_if(all, [&](const choice& each) { return each.thread != from.last_thread; });
}

/// A switch to a thread whose next step is taken alone is our choice, not a preemption; and leaving a thread that waits,
/// sleeps or has ended is none.
void engine::count_preemption(const state& from, state& now, std::size_t t) const {
  if (settings_.max_preemptions < 0) return;
  std::vector<choice> own;
  if (settings_.reduces && thread_options(from, t, own)) return;
  if (from.last_thread != 0xff && from.last_thread != t && can_go_on(from, from.last_thread) &&
      now.preemptions < 0xff)
    ++now.preemptions;
  now.last_thread = static_cast<std::uint8_t>(t);
}

engine::outcome engine::step(const state& from, state& now, const choice& chosen) {
  now = from;
  now_ = &now;
  wrong_ = {};
  went_back_ = undo_step_ = false;
  const std::size_t t = chosen.thread;
  place_fiber(now, t);
  ++now.steps;
  count_preemption(from, now, t);
  apply(chosen);
  if (restart_) return outcome::impossible;
  // A value that could not have been read is no reason for what was done with it.
  if (now.mem.keeps_events && !sequentially_consistent(now.mem)) return outcome::impossible;
  if (wrong_) return outcome::wrong;
  if (went_back_) {
    if (from.threads[t].steps_in_iteration == 0) return outcome::back_where_it_was;
    if (undo_step_) now = from;  // nobody has seen it yet
    roll_back(t);
  }
  now.mem.collect();
  return outcome::moved;
}

void engine::apply(const choice& chosen) {
  const std::size_t t = chosen.thread;
  auto& self = now_->threads[t];
  const request wanted = self.next;
  if (self.loop != 0 && wanted.what != action::again) ++self.steps_in_iteration;
  switch (wanted.what) {
    case action::finished:
      return;
    case action::choose:
      trace_step(t, wanted, fmt::format("{}", chosen.option));
      result_ = chosen.option;
      push(t, result_);
      return complete(t);
    case action::again:
      result_ = 0;
      push(t, 0);
      return complete(t);
    case action::fence:
      if (!uses_fences_ || (wanted.order == std::memory_order_seq_cst && !keeps_events_)) {
        uses_fences_ = restart_ = true;
        keeps_events_ = keeps_events_ || wanted.order == std::memory_order_seq_cst;
        return;
      }
      trace_step(t, wanted, "");
      remember(wanted);
      self.wrote = true;
      now_->mem.forget_saved(t);
      now_->mem.fence(t, wanted.order);
      result_ = 0;
      push(t, 0);
      return complete(t);
    case action::park:
    case action::park_until:
    case action::unpark_one:
    case action::unpark_all:
      return apply_sleep(t, wanted, chosen);
    case action::monitor_lock:
    case action::monitor_unlock:
    case action::monitor_wait:
    case action::monitor_notify:
      return apply_monitor(t, wanted, chosen);
    default:
      return apply_access(t, wanted, chosen.option);
  }
}

void engine::apply_access(std::size_t t, const request& wanted, std::size_t option) {
  auto& self = now_->threads[t];
  auto& mem = now_->mem;
  if ((wanted.order == std::memory_order_seq_cst || wanted.failure_order == std::memory_order_seq_cst) &&
      !keeps_events_) {
    keeps_events_ = restart_ = true;
    return;
  }
  if (const fault wrong = mem.touch(t, wanted.where)) return check(t, wanted, wrong);
  const std::size_t word = mem.atom_at(wanted.where, wanted.initial);
  const bool weak = (option & weak_failure) != 0;
  const std::size_t index = option & ~std::size_t{weak_failure};
  remember(wanted);
  if (wanted.what == action::store) {
    trace_step(t, wanted,
               fmt::format("writes {}{}", region::get().name(wanted.operand),
                           index < mem.atoms[word].count ? ", before a later write" : ""));
    mem.write(t, word, index, wanted.operand, wanted.order, now_->steps);
    tell_watchers(t, wanted.where);
    took_doorstep(t, wanted);
    self.wrote = true;
    mem.forget_saved(t);
    result_ = 0;
    push(t, 0);
    return complete(t);
  }
  note_looked(t, wanted.where);
  const message& source = mem.at(word, index);
  const std::uint64_t old = source.value;
  const std::string from = trace == nullptr ? ""
                           : source.step == 0
                               ? fmt::format("reads {} (initial)", region::get().name(old))
                               : fmt::format("reads {} from step {}", region::get().name(old), source.step);
  result_ = old;
  if (is_compare(wanted.what)) {
    result_ok_ = !weak && (old & wanted.mask) == wanted.expected;
    if (weak) --now_->spurious_left;
    if (!result_ok_) {
      request shown = wanted;
      shown.order = wanted.failure_order;
      shown.label = wanted.failure_label;
      trace_step(t, shown, from + ", fails");
      mem.read(t, word, index, wanted.failure_order);
      push(t, old);
      push(t, 0);
      return complete(t);
    }
  }
  if (wanted.what == action::load) {
    trace_step(t, wanted, from);
    mem.read(t, word, index, wanted.order);
    push(t, old);
    return complete(t);
  }
  const std::uint64_t fresh = updated(wanted, old);
  trace_step(t, wanted, fmt::format("{}, writes {}", from, region::get().name(fresh)));
  mem.update(t, word, index, fresh, wanted.order, now_->steps);
  if (fresh != old) tell_watchers(t, wanted.where);
  took_doorstep(t, wanted);
  if (fresh == old && self.loop != 0 && !self.wrote)
    self.silent_step = now_->steps;
  else {
    self.wrote = true;
    mem.forget_saved(t);
  }
  push(t, old);
  if (is_compare(wanted.what)) push(t, 1);
  complete(t);
}

// A sleeper compares and falls asleep in one step with respect to wake-ups on the same word, as the kernel's
// lock on the queue makes it; it gains no happens-before from that.
void engine::apply_sleep(std::size_t t, const request& wanted, const choice& chosen) {
  auto& self = now_->threads[t];
  auto& mem = now_->mem;
  self.wrote = true;
  mem.forget_saved(t);
  if (wanted.what == action::unpark_one || wanted.what == action::unpark_all) {
    trace_step(t, wanted, "");
    const std::size_t word = mem.find_atom(wanted.where);
    if (word != memory::none)
      mem.atoms[word].sleep_floor = std::max(mem.atoms[word].sleep_floor, mem.threads[t].now.at[word]);
    result_ = 0;
    push(t, 0);
    complete(t);
    for (std::size_t other = 0; other < now_->threads.size() && !wrong_; ++other)
      if (now_->threads[other].asleep == sleep::parked && now_->threads[other].next.where == wanted.where &&
          (wanted.what == action::unpark_all || chosen.option == other))
        wake(other);
    return;
  }
  if (self.asleep == sleep::parked) {
    if (chosen.spurious) --now_->spurious_left;
    if (!chosen.spurious) self.late = true;
    trace_step(t, wanted, chosen.spurious ? "wakes for no reason" : "its deadline passes");
    self.asleep = sleep::awake;
    result_ = chosen.spurious ? 1 : 0;
    push(t, result_);
    return complete(t);
  }
  if (const fault wrong = mem.touch(t, wanted.where)) return check(t, wanted, wrong);
  const std::size_t word = mem.atom_at(wanted.where, wanted.initial);
  const std::uint64_t value = mem.at(word, chosen.option).value;
  mem.read(t, word, chosen.option, std::memory_order_relaxed);
  if ((value & wanted.mask) == (wanted.expected & wanted.mask)) {
    trace_step(t, wanted, "sleeps");
    self.asleep = sleep::parked;
    return;
  }
  trace_step(t, wanted, fmt::format("finds {}, does not sleep", region::get().name(value)));
  result_ = 1;
  push(t, result_);
  complete(t);
}

void engine::wake(std::size_t t) {
  place_fiber(*now_, t);
  now_->threads[t].asleep = sleep::awake;
  result_ = 1;
  push(t, result_);
  complete(t);
}

void engine::apply_monitor(std::size_t t, const request& wanted, const choice& chosen) {
  auto& self = now_->threads[t];
  auto& mem = now_->mem;
  self.wrote = true;
  mem.forget_saved(t);
  if (const fault wrong = mem.touch(t, wanted.where)) return check(t, wanted, wrong);
  auto& inside = mem.monitor_at(wanted.where);
  trace_step(t, wanted, chosen.spurious ? "wakes for no reason" : "");
  const auto take = [&] {
    inside.owner = static_cast<std::int8_t>(t);
    mem.threads[t].now.join(inside.released);
  };
  const auto give = [&] {
    inside.owner = -1;
    inside.released.join(mem.threads[t].now);
  };
  switch (wanted.what) {
    case action::monitor_lock:
      take();
      break;
    case action::monitor_unlock:
      give();
      break;
    case action::monitor_notify:
      for (auto& other : now_->threads)
        if (other.asleep == sleep::waiting && other.next.where == wanted.where)
          other.asleep = sleep::relocking;
      break;
    default:
      if (self.asleep == sleep::awake) {
        give();
        self.asleep = sleep::waiting;
        return;
      }
      if (self.asleep == sleep::waiting) {
        --now_->spurious_left;
        self.asleep = sleep::relocking;
        return;
      }
      self.asleep = sleep::awake;
      take();
  }
  result_ = 0;
  push(t, 0);
  complete(t);
}

void engine::took_doorstep(std::size_t t, const request& wanted) {
  if (settings_.doorstep.empty() || settings_.doorstep != wanted.label) return;
  now_->queue.push_back({wanted.where, static_cast<std::uint8_t>(t)});
  now_->threads[t].doorsteps_taken.push_back(wanted.where);
}

void engine::tell_watchers(std::size_t writer, address where) {
  for (std::size_t t = 0; t < now_->threads.size(); ++t) {
    auto& other = now_->threads[t];
    if (t != writer && other.loop != 0 &&
        std::find(other.looked_at.begin(), other.looked_at.end(), where) != other.looked_at.end())
      other.news = true;
  }
}

void engine::note_looked(std::size_t t, address where) {
  auto& looked = now_->threads[t].looked_at;
  if (now_->threads[t].loop != 0 && std::find(looked.begin(), looked.end(), where) == looked.end())
    looked.push_back(where);
}

void engine::remember(const request& wanted) {
  const auto note = [&](const char* label, action what, std::memory_order order) {
    for (const auto& [known, did, how, line] : quickly_seen_)
      if (known == label && did == what && how == order && line == wanted.line) return;
    quickly_seen_.emplace_back(label, what, order, wanted.line);
    const std::string_view file = wanted.file;
    seen_[label].insert({what, order, std::string(file.substr(file.rfind('/') + 1)),
                         std::string(short_name(wanted.function)), wanted.line});
  };
  note(wanted.label, wanted.what, wanted.order);
  if (is_compare(wanted.what)) note(wanted.failure_label, action::load, wanted.failure_order);
}

void engine::check(std::size_t t, const request& wanted, const fault& result) {
  if (!result) return;
  const bool race = result->rfind("data race", 0) == 0;
  set_wrong(race ? violation_kind::data_race : violation_kind::use_after_free,
            fmt::format("T{}: {} ({}{}{})", t, *result, region::get().name(wanted.where),
                        *wanted.label != '\0' ? ", " : "", wanted.label));
}

violation engine::crowded(const state& now, const std::vector<address>& spun_on) const {
  if (settings_.claim == spinning::anywhere) return {};
  std::size_t bound = 1;
  if (settings_.claim == spinning::fere_local)
    for (const auto& each : now.threads) bound = std::max(bound, each.locks.size());
  for (const address where : spun_on) {
    const auto waiting = static_cast<std::size_t>(std::count(spun_on.begin(), spun_on.end(), where));
    if (waiting > bound)
      return {violation_kind::not_local,
              fmt::format("{} threads wait on {}, and no thread has more than {} locks", waiting,
                          region::get().name(where), bound)};
  }
  return {};
}

std::string engine::describe_stuck(const state& now) const {
  std::string text;
  for (std::size_t t = 0; t < now.threads.size(); ++t) {
    const auto& self = now.threads[t];
    if (self.next.what == action::finished) continue;
    const char* how = self.asleep == sleep::parked      ? "sleeps on"
                      : self.asleep == sleep::waiting   ? "waits for a notification of"
                      : self.next.what == action::again ? "has nothing new to look at"
                      : self.loop != 0                  ? "spins on"
                                                        : "is stuck at";
    text +=
        fmt::format("{}T{} {} {}{}{}", text.empty() ? "" : "; ", t, how, region::get().name(self.next.where),
                    *self.next.label != '\0' ? ", " : "", self.next.label);
  }
  return text;
}

void engine::trace_step(std::size_t t, const request& wanted, const std::string& what) const {
  if (trace == nullptr) return;
  std::string line = fmt::format("{:4}. T{}  {}", now_->steps, t, action_name(wanted.what));
  if (wanted.where != 0) line += " " + region::get().name(wanted.where);
  if (*wanted.label != '\0') line += fmt::format(" [{}, {}]", wanted.label, order_name(wanted.order));
  if (!what.empty()) line += "  " + what;
  trace->push_back(std::move(line));
}

void engine::trace_plain(address where, std::uint64_t value, bool writes) const {
  trace->push_back(fmt::format("      T{}  plain {} {}  {} {}", running_, writes ? "write" : "read",
                               region::get().name(where), writes ? "writes" : "reads",
                               region::get().name(value)));
}

}  // namespace hemlock::check
