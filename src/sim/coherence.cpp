// The life of a request: asked, queued at its line, served, completed.
#include "sim/machine.hpp"

namespace hemlock::sim {

request* machine::find_request(cache_id by, const line& of) {
  for (request* each : caches_[static_cast<std::size_t>(by)].outstanding)
    if (each->of == &of) return each;
  return nullptr;
}

void machine::wait_on(request& pending, cpu& who) {
  who.next_waiting = pending.waiting;
  pending.waiting = &who;
}

void machine::ask(cpu& who, line& of, request::wish wish, asker on_behalf_of) {
  const bool early = on_behalf_of == asker::early;
  if (wish == request::wish::own) {
    ++counters_.owns;
    if (early) ++counters_.prefetched_owns;
  } else if (early) {
    ++counters_.prefetch_reads;
  } else {
    ++counters_.reads;
  }
  if (free_requests_.empty()) {
    request_pool_.push_back(std::make_unique<request>());
    free_requests_.push_back(request_pool_.back().get());
  }
  request* const made = free_requests_.back();
  free_requests_.pop_back();
  *made = {&of, who.cache, wish, false, false, nullptr, nullptr};
  if (on_behalf_of == asker::program) wait_on(*made, who);
  (of.last == nullptr ? of.first : of.last->next) = made;
  of.last = made;
  if (wish == request::wish::own) ++of.own_wishes;
  caches_[static_cast<std::size_t>(who.cache)].outstanding.push_back(made);
  record(wish == request::wish::own ? trace_entry::step::asks_to_own : trace_entry::step::asks_to_read, who,
         of, who.current, false);
  serve(of);
  if (profile_.adjacent_line_prefetch && !(wish == request::wish::read && early)) prefetch_neighbour(who, of);
}

void machine::prefetch_neighbour(cpu& who, line& of) {
  line& other = of.number % 2 == 0 ? *(&of + 1) : *(&of - 1);  // a pair lies within a page of lines
  // Lines that nobody ever used are not simulated: each cache would read them once.
  if (other.requests == 0 && other.first == nullptr) return;
  if (other.where.copies.contains(who.cache) || find_request(who.cache, other) != nullptr) return;
  ask(who, other, request::wish::read, asker::early);
}

void machine::serve(line& of) {
  while (of.first != nullptr && of.moving == nullptr) {
    if (of.free_at > now_) {
      if (!of.serve_queued) {
        of.serve_queued = true;
        events_.push(of.free_at, event_class::line, of.number, event::action::serve, &of);
      }
      return;
    }
    request& wants = *of.first;
    of.first = wants.next;
    if (of.first == nullptr) of.last = nullptr;
    if (wants.what == request::wish::own) --of.own_wishes;
    wants.served = true;
    ++of.requests;
    const picoseconds latency =
        wants.what == request::wish::read ? serve_read(of, wants) : serve_own(of, wants);
    record(trace_entry::step::served, *caches_[static_cast<std::size_t>(wants.cache)].threads.front(), of, {},
           false);
    events_.push(now_ + latency, event_class::line, of.number, event::action::complete, &wants);
  }
}

namespace {

/// The caches around one: of its cluster, of its socket.
struct range {
  cache_id begin;
  cache_id end;
};
range around(cache_id cache, int group) {
  const int first = cache / group * group;
  return {static_cast<cache_id>(first), static_cast<cache_id>(first + group)};
}

}  // namespace

int machine::nearest(const line& of, cache_id cache) const {
  if (profile_.has_clusters()) {
    const auto cluster = around(cache, profile_.cores_per_cluster);
    if (of.where.copies.any_in(cluster.begin, cluster.end)) return 0;
  }
  const auto socket = around(cache, profile_.cores_per_socket);
  return of.where.copies.any_in(socket.begin, socket.end) ? 1 : 2;
}

int machine::farthest(const line& of, cache_id cache) const {
  const auto outside = [&](range group) {
    return of.where.copies.any_in(0, group.begin) ||
           of.where.copies.any_in(group.end, static_cast<cache_id>(profile_.cores()));
  };
  if (outside(around(cache, profile_.cores_per_socket))) return 2;
  return profile_.has_clusters() && !outside(around(cache, profile_.cores_per_cluster)) ? 0 : 1;
}

picoseconds machine::jittered(const line& of, double latency) const {
  const double swing = 2 * unit(mix(options_.seed, of.number, of.requests)) - 1;
  return from_ns(latency * (1 + costs_.jitter * swing));
}

picoseconds machine::serve_read(line& of, request& wants) {
  // Those who wait already read what the line holds now, even if it is invalidated before it reaches them.
  for (cpu* each = wants.waiting; each != nullptr; each = each->next_waiting)
    if (each->current.what == operation::kind::load) {
      apply(each->current);
      each->sampled = true;
    }
  const cache_id owner = of.where.answering;
  const int distance = nearest(of, wants.cache);
  constexpr int across = 2;
  if (profile_.remote_read_invalidates && distance == across && of.where.as == line_state::modified) {
    of.moving = &wants;
    ++counters_.invalidations;
    disturb(of, owner);
    mesif::read_of_modified_that_invalidates(of.where, wants.cache);
    return jittered(of, costs_.read[across]);
  }
  switch (read(profile_.coherence, of.where, wants.cache)) {
    case source::memory:
      of.moving = &wants;
      return jittered(of, costs_.memory);
    case source::sole_owner:
      of.moving = &wants;
      disturb(of, owner);  // it can still read, but no longer write
      return jittered(of, costs_.read[distance]);
    default:
      break;
  }
  of.free_at = now_ + costs_.occupancy;
  if (distance == across && profile_.coherence == protocol::mesi) return jittered(of, costs_.memory);
  return jittered(of, costs_.read[distance]);
}

picoseconds machine::serve_own(line& of, request& wants) {
  of.moving = &wants;
  const std::size_t copies = of.where.copies.size();
  const bool had = wants.had_copy = of.where.copies.contains(wants.cache);
  const int distance = farthest(of, wants.cache);
  counters_.invalidations += copies - (had ? 1 : 0);
  disturb_all_but(of, wants.cache);
  const picoseconds conflicts = of.own_wishes > 1 ? costs_.conflict : 0;
  switch (write(profile_.coherence, of.where, wants.cache)) {
    case source::memory:
      return jittered(of, costs_.memory);
    case source::own_copy:
      ++counters_.upgrades;
      return conflicts + jittered(of, costs_.upgrade[distance]);
    default:
      return conflicts + jittered(of, costs_.own[distance]);
  }
}

void machine::complete(request& done) {
  line& of = *done.of;
  auto& holder = caches_[static_cast<std::size_t>(done.cache)];
  std::erase(holder.outstanding, &done);
  if (of.moving == &done) {
    of.moving = nullptr;
    of.free_at = now_;
  }
  record(trace_entry::step::arrives, *holder.threads.front(), of, {}, false);
  for (cpu* each = done.waiting; each != nullptr;) {
    cpu* const next = each->next_waiting;
    each->next_waiting = nullptr;
    finish(*each, done);
    each = next;
  }
  for (cpu* each : holder.threads)
    if (!each->buffer.empty() && each->buffer.front().of == &of && !each->pumping) pump(*each);
  // The line is free before those who waited for it run: they may want it again at once.
  serve(of);
  done.of = nullptr;
  free_requests_.push_back(&done);
}

/// One who waited: its operation is done, or, if the line came too weak or was lost again, asked for anew.
void machine::finish(cpu& who, request& done) {
  line& of = *done.of;
  if (who.current.what == operation::kind::load) {
    if (!who.sampled && !of.where.copies.contains(who.cache)) {
      ask(who, of, request::wish::read, asker::program);
      return;
    }
    if (!who.sampled) apply(who.current);
  } else {
    if (!of.where.writable_in(who.cache) || find_request(who.cache, of) != nullptr) {
      if (request* const other = find_request(who.cache, of))
        wait_on(*other, who);
      else
        ask(who, of, request::wish::own, asker::program);
      return;
    }
    if (apply(who.current)) changed_by_hit(of, who.cache);
    of.where.as = line_state::modified;
  }
  record(trace_entry::step::takes_effect, who, of, who.current, false);
  resume_at(now_, who);
}

void machine::record(trace_entry::step what, const cpu& who, line& of, const operation& done, bool hit) {
  if (trace_ == nullptr || trace_->entries.size() >= trace_->most) return;
  if (trace_->operations_only && what != trace_entry::step::takes_effect) return;
  std::string states;
  if (!trace_->operations_only)
    for (int cache = 0; cache < profile_.cores(); ++cache)
      states += static_cast<char>(of.where.state_in(static_cast<cache_id>(cache)));
  trace_->entries.push_back({now_, who.number, of.number, what, done, hit, std::move(states)});
}

}  // namespace hemlock::sim
