// What a CPU does to memory: loads, stores and read-modify-writes, its store buffer, and its wait loops.
#include <algorithm>

#include "sim/machine.hpp"

namespace hemlock::sim {

std::uint64_t machine::perform(operation& what) {
  if (!in_program()) {  // setting up, before time begins
    apply(what);
    return what.before;
  }
  cpu& who = self();
  if (what.what == operation::kind::load) return perform_load(who, what);
  if (what.what == operation::kind::store) return perform_store(who, what);
  if (!profile_.cas_only || what.what == operation::kind::compare_exchange) return perform_rmw(who, what);

  // SPARC: CASX is all there is. A fetch-and-add of 0 is CASX(A, 0, 0), the paper's read with intent to write.
  // Others are a load, then CASX; if the value has changed in between, the CASX fails and is repeated, which it
  // can at once, since the line has just come.
  operation cas{.what = operation::kind::compare_exchange,
                .size = what.size,
                .address = what.address,
                .label = what.label};
  if (what.what == operation::kind::add && what.operand == 0) return what.before = perform_rmw(who, cas);
  operation look{
      .what = operation::kind::load, .size = what.size, .address = what.address, .label = what.label};
  const std::uint64_t seen = perform_load(who, look);
  perform_rmw(who, what);
  if (what.before != seen) advance(who, slowed(who, costs_.rmw_hit));
  return what.before;
}

std::uint64_t machine::perform_load(cpu& who, operation& what) {
  ++counters_.operations;
  line& of = line_of(what.address);
  for (auto store = who.buffer.rbegin(); store != who.buffer.rend(); ++store)
    if (store->what.address == what.address) {  // forwarded from the store buffer
      what.before = store->what.operand;
      note_look(who, what, false);
      record(trace_entry::step::takes_effect, who, of, what, true);
      advance(who, slowed(who, costs_.load_hit));
      return what.before;
    }
  const request* const pending = find_request(who.cache, of);
  const bool on_its_way = pending != nullptr && pending->served && !pending->had_copy;
  if (of.where.copies.contains(who.cache) && !on_its_way) {
    apply(what);
    note_look(who, what, true);
    record(trace_entry::step::takes_effect, who, of, what, true);
    advance(who, slowed(who, costs_.load_hit));
    return what.before;
  }
  note_look(who, what, false);
  what.before = wait_for(who, of, request::wish::read, what);
  return what.before;
}

std::uint64_t machine::perform_store(cpu& who, operation& what) {
  ++counters_.operations;
  note_look(who, what, false);
  line& of = line_of(what.address);
  if (profile_.stores == store_policy::blocking) {
    if (of.where.writable_in(who.cache) && find_request(who.cache, of) == nullptr) {
      apply(what);
      of.where.as = line_state::modified;
      changed_by_hit(of, who.cache);
      record(trace_entry::step::takes_effect, who, of, what, true);
      advance(who, slowed(who, costs_.store_commit));
      return what.before;
    }
    return wait_for(who, of, request::wish::own, what);
  }
  if (who.buffer.size() >= options_.buffer_entries) {
    who.waits_for_room = true;
    block(who);
  }
  who.buffer.push_back({what, &of});
  if (profile_.stores == store_policy::tso_prefetch && !of.where.writable_in(who.cache) &&
      find_request(who.cache, of) == nullptr)
    ask(who, of, request::wish::own, who.buffer.size() > 1 ? asker::early : asker::oldest_store);
  if (who.buffer.size() == 1 && !who.pumping) pump(who);
  advance(who, slowed(who, costs_.store_commit));
  return 0;
}

std::uint64_t machine::perform_rmw(cpu& who, operation& what) {
  ++counters_.operations;
  line& of = line_of(what.address);
  if (!who.buffer.empty()) {
    if (profile_.stores == store_policy::tso_prefetch && !of.where.writable_in(who.cache) &&
        find_request(who.cache, of) == nullptr)
      ask(who, of, request::wish::own, asker::early);
    who.waits_for_drain = true;
    block(who);
  }
  if (of.where.writable_in(who.cache) && find_request(who.cache, of) == nullptr) {
    const bool changed = apply(what);
    of.where.as = line_state::modified;
    if (changed) changed_by_hit(of, who.cache);
    note_look(who, what, !changed);
    record(trace_entry::step::takes_effect, who, of, what, true);
    advance(who, slowed(who, costs_.rmw_hit));
    return what.before;
  }
  note_look(who, what, false);
  const auto before = wait_for(who, of, request::wish::own, what);
  what = who.current;
  return before;
}

/// Suspends the program until the line has come and the operation has been done.
std::uint64_t machine::wait_for(cpu& who, line& of, request::wish wish, const operation& what) {
  who.current = what;
  who.sampled = false;
  request* pending = find_request(who.cache, of);
  if (pending != nullptr)
    wait_on(*pending, who);
  else
    ask(who, of, wish, asker::program);
  block(who);
  return who.current.before;
}

/// The oldest store: committed if its line is here, asked for if not.
void machine::pump(cpu& who) {
  if (who.buffer.empty()) {
    if (who.waits_for_drain) {
      who.waits_for_drain = false;
      resume_at(now_, who);
    }
    return;
  }
  line& of = *who.buffer.front().of;
  if (find_request(who.cache, of) != nullptr) return;  // complete() comes back to us
  if (of.where.writable_in(who.cache))
    commit_oldest(who);
  else
    ask(who, of, request::wish::own, asker::oldest_store);
}

void machine::commit_oldest(cpu& who) {
  buffered_store& oldest = who.buffer.front();
  apply(oldest.what);
  oldest.of->where.as = line_state::modified;
  changed_by_hit(*oldest.of, who.cache);
  record(trace_entry::step::takes_effect, who, *oldest.of, oldest.what, false);
  who.buffer.pop_front();
  if (who.waits_for_room) {
    who.waits_for_room = false;
    resume_at(now_, who);
  }
  who.pumping = true;
  events_.push(now_ + costs_.store_commit, event_class::buffer, who.number, event::action::pump, &who);
}

/// Siblings that sleep on this line would have seen the new value at their next look.
void machine::changed_by_hit(line& of, cache_id by) {
  if (!of.sleepers.empty()) disturb(of, by);
}

void machine::forget_stores_to(const void* place) {
  if (!in_program() || self().buffer.empty()) return;
  std::erase_if(self().buffer, [&](const buffered_store& each) { return each.what.address == place; });
}

void machine::begin_wait_loop() {
  if (!in_program()) return;
  self().looks = 0;
  self().earlier_period = 0;
  self().mark = now_;
}

void machine::note_look(cpu& who, const operation& what, bool idle) {
  ++who.looks;
  who.idle_look = idle;
  who.look = what;
}

void machine::pause(int times) {
  if (!in_program()) return;
  cpu& who = self();
  const picoseconds cost = slowed(who, times * costs_.pause);
  line* const of = who.looks > 0 ? &line_of(who.look.address) : nullptr;
  if (of != nullptr && who.polls != who.look.address) {
    forget_polling(who);
    who.polls = who.look.address;
    auto& pollers = of->pollers[arena_->offset(who.polls) % line_bytes / 8];
    counters_.most_pollers = std::max(counters_.most_pollers, ++pollers);
  }
  // A look like the one before, in an iteration of the same length: so will be the next ones, until the line is
  // taken away or a sibling writes it. None of them needs an event. The first iteration alone tells nothing: it
  // may have entered the loop in the middle.
  const picoseconds period = now_ - who.mark + cost;
  const bool one_look = who.looks == 1 && who.idle_look;
  const bool repeats = one_look && who.earlier_period == period && same_look(who.look, who.earlier_look);
  who.earlier_period = one_look ? period : 0;
  who.earlier_look = who.look;
  const bool next_hits =
      repeats && find_request(who.cache, *of) == nullptr &&
      (who.look.is_rmw() ? of->where.writable_in(who.cache) : of->where.copies.contains(who.cache)) &&
      peek(who.look.address, who.look.size) == who.look.before;
  who.looks = 0;
  if (!options_.sleep || !next_hits) {
    advance(who, cost);
  } else {
    who.period = period;
    who.next_poll = now_ + cost;
    who.asleep_on = of;
    of->sleepers.push_back(&who);
    block(who);
  }
  who.mark = now_;
}

void machine::forget_polling(cpu& who) {
  if (who.polls == nullptr) return;
  --line_of(who.polls).pollers[arena_->offset(who.polls) % line_bytes / 8];
  who.polls = nullptr;
}

void machine::end_wait_loop() {
  if (in_program()) forget_polling(self());
}

/// The line was taken from a sleeper, or changed under it: it looks again at the next poll it would have made.
void machine::wake(cpu& who) {
  picoseconds poll = who.next_poll;
  if (now_ > poll) poll += (now_ - poll + who.period - 1) / who.period * who.period;
  if (poll == now_ && order_of(event_class::program, who.number) < now_order_) poll += who.period;
  counters_.operations += static_cast<std::uint64_t>((poll - who.next_poll) / who.period);
  who.asleep_on = nullptr;
  resume_at(poll, who);
}

/// Up to now, with the polls that sleepers would have made by now.
counters machine::counted() const {
  counters result = counters_;
  for (const cpu& each : cpus_) {
    if (each.asleep_on == nullptr || now_ < each.next_poll) continue;
    const picoseconds since = now_ - each.next_poll;
    picoseconds polls = (since + each.period - 1) / each.period;
    if (since % each.period == 0 && order_of(event_class::program, each.number) < now_order_) ++polls;
    result.operations += static_cast<std::uint64_t>(polls);
  }
  return result;
}

void machine::disturb(line& of, cache_id cache) {
  auto kept = of.sleepers.begin();
  for (cpu* sleeper : of.sleepers) {
    if (sleeper->cache == cache)
      wake(*sleeper);
    else
      *kept++ = sleeper;
  }
  of.sleepers.erase(kept, of.sleepers.end());
}

void machine::disturb_all_but(line& of, cache_id cache) {
  auto kept = of.sleepers.begin();
  for (cpu* sleeper : of.sleepers) {
    if (sleeper->cache != cache)
      wake(*sleeper);
    else
      *kept++ = sleeper;
  }
  of.sleepers.erase(kept, of.sleepers.end());
}

void machine::park(const void* word, std::uint32_t size, std::uint64_t expected) {
  cpu& who = self();
  if (!who.buffer.empty()) {
    who.waits_for_drain = true;
    block(who);
  }
  advance(who, slowed(who, costs_.park));
  if (peek(word, static_cast<std::uint8_t>(size)) != expected) return;
  ++counters_.parks;
  who.parked = true;
  parked_.emplace_back(word, &who);
  block(who);
}

void machine::unpark(const void* word, int at_most) {
  cpu& who = self();
  if (!who.buffer.empty()) {
    who.waits_for_drain = true;
    block(who);
  }
  advance(who, slowed(who, costs_.unpark));
  for (auto each = parked_.begin(); each != parked_.end() && at_most > 0;) {
    if (each->first != word) {
      ++each;
      continue;
    }
    --at_most;
    ++counters_.wakes;
    each->second->parked = false;
    resume_at(now_ + costs_.wake, *each->second);
    each = parked_.erase(each);
  }
}

}  // namespace hemlock::sim
