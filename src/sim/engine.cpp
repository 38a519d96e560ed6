// The engine: which event is next, and the fibers that programs run in.
#include <fmt/core.h>

#include <algorithm>

#include "sim/machine.hpp"

namespace hemlock::sim {
namespace {

/// A run's memory serves the next one: mapping it anew each time would cost more than many a run.
std::unique_ptr<arena>& spare_arena() {
  static thread_local std::unique_ptr<arena> spare;
  return spare;
}

}  // namespace

counters counters::operator-(const counters& earlier) const {
  counters result = *this;
  result.reads -= earlier.reads;
  result.owns -= earlier.owns;
  result.upgrades -= earlier.upgrades;
  result.prefetched_owns -= earlier.prefetched_owns;
  result.prefetch_reads -= earlier.prefetch_reads;
  result.invalidations -= earlier.invalidations;
  result.operations -= earlier.operations;
  result.parks -= earlier.parks;
  result.wakes -= earlier.wakes;
  return result;
}

machine::machine(const profile& of, machine_options options) : profile_(of), options_(options) {
  const auto time = [&](parameter which) { return from_ns(of[which]); };
  costs_ = {
      .load_hit = time(parameter::load_hit),
      .store_commit = time(parameter::store_commit),
      .rmw_hit = time(parameter::rmw_hit),
      .pause = time(parameter::pause),
      .park = time(parameter::park),
      .unpark = time(parameter::unpark),
      .wake = time(parameter::wake),
      .read = {of[parameter::read_cluster], of[parameter::read_same], of[parameter::read_cross]},
      .own = {of[parameter::own_cluster], of[parameter::own_same], of[parameter::own_cross]},
      .upgrade = {of[parameter::upgrade_cluster], of[parameter::upgrade_same], of[parameter::upgrade_cross]},
      .memory = of[parameter::memory],
      .occupancy = time(parameter::read_occupancy),
      .conflict = time(parameter::conflict),
      .jitter = of[parameter::jitter]};
  arena_ = spare_arena() ? std::move(spare_arena()) : std::make_unique<arena>();
  caches_.resize(static_cast<std::size_t>(of.cores()));
  cpus_ = std::vector<cpu>(static_cast<std::size_t>(of.cpus()));
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    cpu& each = cpus_[i];
    each.number = static_cast<std::uint32_t>(i);
    // Siblings are numbered as Linux does: cpu 0 and cpu <cores> share core 0.
    each.cache = static_cast<cache_id>(i % static_cast<std::size_t>(of.cores()));
    each.socket = static_cast<std::int16_t>(socket_of(each.cache));
    caches_[static_cast<std::size_t>(each.cache)].threads.push_back(&each);
  }
  current_ = this;
}

machine::~machine() {
  current_ = nullptr;
  arena_->reset();
  spare_arena() = std::move(arena_);
}

void machine::run_on(int number, picoseconds start, std::function<void()> program) {
  cpu& who = cpus_.at(static_cast<std::size_t>(number));
  who.program =
      std::make_unique<fiber>(arena_->stack(who.number), [this, &who, program = std::move(program)] {
        program();
        for (const auto& action : who.at_exit) action();
        --alive_;
      });
  ++alive_;
  resume_at(start, who);
}

void machine::run() {
  for (auto& core : caches_) {
    const auto busy = std::count_if(core.threads.begin(), core.threads.end(),
                                    [](const cpu* each) { return each->program != nullptr; });
    const double sharing = static_cast<double>(busy) / profile_.pipelines;
    const double slowdown = 1 + (profile_[parameter::smt_slowdown] - 1) * std::max(0.0, sharing - 1);
    for (cpu* each : core.threads) each->slowdown = slowdown;
  }
  while (alive_ > 0) {
    if (events_.empty()) {
      std::string who;
      for (const cpu& each : cpus_)
        if (each.program && !each.program->done()) {
          who += fmt::format(" cpu {} {}", each.number,
                             each.parked      ? "parked"
                             : each.asleep_on ? "waits"
                                              : "stalled");
          if (each.asleep_on) who += fmt::format(" on line {} ({})", each.asleep_on->number, each.look.label);
          who += ';';
          each.program->abandon();
        }
      throw deadlock("nothing will happen any more:" + who);
    }
    dispatch(events_.pop());
  }
}

void machine::dispatch(const event& what) {
  now_ = what.time;
  now_order_ = what.order >> 32 << 32;
  switch (what.what) {
    case event::action::resume:
      resume(*static_cast<cpu*>(what.subject));
      break;
    case event::action::pump: {
      cpu& who = *static_cast<cpu*>(what.subject);
      who.pumping = false;
      pump(who);
      break;
    }
    case event::action::complete:
      complete(*static_cast<request*>(what.subject));
      break;
    case event::action::serve: {
      line& of = *static_cast<line*>(what.subject);
      of.serve_queued = false;
      serve(of);
      break;
    }
  }
}

void machine::resume(cpu& who) {
  running_ = &who;
  who.program->resume();
  running_ = nullptr;
}

void machine::resume_at(picoseconds time, cpu& who) {
  events_.push(time, event_class::program, who.number, event::action::resume, &who);
}

void machine::advance(cpu& who, picoseconds duration) {
  const event mine{now_ + duration, order_of(event_class::program, who.number), event::action::resume, &who};
  if (events_.empty() || mine < events_.next()) {
    now_ = mine.time;
    now_order_ = mine.order;
    return;
  }
  resume_at(mine.time, who);
  block(who);
}

void machine::block(cpu& who) {
  who.program->suspend();
}

picoseconds machine::slowed(const cpu& who, picoseconds duration) const {
  if (who.slowdown == 1) return duration;
  return static_cast<picoseconds>(static_cast<double>(duration) * who.slowdown);
}

void machine::compute(picoseconds duration) {
  advance(self(), slowed(self(), duration));
}

void machine::compute_until(picoseconds time) {
  if (time > now_) advance(self(), time - now_);
}

line& machine::line_of(const void* address) {
  const std::size_t offset = arena_->offset(address);
  const std::size_t region = offset < arena::nodes_begin ? 0 : offset < arena::stacks_begin ? 1 : 2;
  constexpr std::size_t first_of_region = arena::region / line_bytes;
  std::size_t within = (offset - region * arena::region) / line_bytes;
  if (region == 1) within = within * line_bytes / block_alignment * node_spacing() / line_bytes;
  auto& pages = line_pages_[region];
  constexpr std::size_t lines_per_page = 64;
  const std::size_t page = within / lines_per_page;
  if (page >= pages.size()) pages.resize(page + 1);
  if (!pages[page]) {
    pages[page] = std::make_unique<line[]>(lines_per_page);
    for (std::size_t i = 0; i < lines_per_page; ++i)
      pages[page][i].number =
          static_cast<std::uint32_t>(region * first_of_region + within / lines_per_page * lines_per_page + i);
  }
  return pages[page][within % lines_per_page];
}

void machine::name_lines(const void* block, std::size_t bytes, std::string name) {
  const auto first = line_of(block).number;
  for (std::size_t i = 0; i * line_bytes < bytes; ++i) line_names_.emplace(first + i, name);
}

void machine::begin_reading() {
  if (self().readings++ == 0) self().reading_since = retirements_;
}

void machine::end_reading() {
  --self().readings;
}

void machine::retire(std::function<void()> give_back) {
  retired_.emplace_back(retirements_++, std::move(give_back));
  constexpr std::uint64_t worth_looking = 64;
  if (retirements_ % worth_looking != 0) return;
  std::uint64_t oldest = retirements_;
  for (const cpu& each : cpus_)
    if (each.readings > 0) oldest = std::min(oldest, each.reading_since);
  while (!retired_.empty() && retired_.front().first < oldest) {
    retired_.front().second();
    retired_.pop_front();
  }
}

std::vector<int> machine::placement(int threads) const {
  const int cluster = profile_.has_clusters() ? profile_.cores_per_cluster : profile_.cores_per_socket;
  std::vector<int> order;
  for (int level = 0; level < profile_.threads_per_core; ++level)
    for (int within = 0; within < cluster; ++within)
      for (int first = 0; first < profile_.cores_per_socket; first += cluster)
        for (int socket = 0; socket < profile_.sockets; ++socket)
          order.push_back(level * profile_.cores() + socket * profile_.cores_per_socket + first + within);
  order.resize(static_cast<std::size_t>(threads));
  shuffle(order, mix(options_.seed, 0x706c6163));
  return order;
}

}  // namespace hemlock::sim
