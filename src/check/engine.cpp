#include "check/engine.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace hemlock::check {

const char* name_of(violation_kind kind) {
  switch (kind) {
    case violation_kind::none:
      return "none";
    case violation_kind::data_race:
      return "data race";
    case violation_kind::use_after_free:
      return "use after free";
    case violation_kind::assertion:
      return "assertion";
    case violation_kind::deadlock:
      return "deadlock";
    case violation_kind::livelock:
      return "livelock";
    case violation_kind::not_fifo:
      return "not FIFO";
    case violation_kind::not_local:
      return "not local";
    case violation_kind::wrong_result:
      return "wrong result";
    case violation_kind::runaway:
      return "runaway";
  }
  return "";
}

host*& host::current() {
  static thread_local host* only = nullptr;
  return only;
}

namespace {

std::vector<int> kinds_of(const program& what, bool symmetric) {
  std::vector<int> kinds;
  for (unsigned i = 0; i < what.threads(); ++i)
    kinds.push_back(symmetric ? what.kind(i) : static_cast<int>(i));
  return kinds;
}

}  // namespace

engine::engine(program& what, const settings& how)
    : program_(what), settings_(how), alike_(kinds_of(what, how.symmetric && how.reduces)) {
  for (std::size_t i = 0; i < program_.threads(); ++i) fibers_.emplace_back(i);
  host::current() = this;
  program_.make();
}

void engine::begin(state& root) {
  restart_ = false;
  mode_ = mode::running;
  root = state{};
  root.spurious_left = settings_.spurious;
  root.mem.keeps_events = keeps_events_;
  root.mem.uses_fences = uses_fences_;
  root.mem.threads.resize(fibers_.size());
  root.threads.resize(fibers_.size());
  now_ = &root;
  wrong_ = {};
  for (const auto& [where, bytes] : setup_blocks_) root.mem.create_before_all(where, bytes, watches_shared_);
  for (std::size_t i = 0; i < fibers_.size() && !wrong_; ++i) {
    restart_fiber(i);
    fibers_[i].feeding = false;
    enter(i);
  }
  root.mem.collect();
}

// Fibers.

void engine::restart_fiber(std::size_t thread) {
  auto& own = fibers_[thread];
  std::memset(region::get().arena(thread), 0, own.arena_used);
  own.arena_used = 0;
  own.log.clear();
  own.records.clear();
  own.lock_wanted = 0;
  own.signals_left = 0;
  own.in_handler = 0;
  own.context.start([this, thread] { body(thread); });
}

void engine::place_fiber(const state& now, std::size_t thread) {
  auto& own = fibers_[thread];
  const auto& history = now.threads[thread].history;
  if (std::equal(own.log.begin(), own.log.end(), history.begin(), history.end())) return;
  restart_fiber(thread);
  own.source = &now.threads[thread];
  own.feeding = true;
  enter(thread);
}

void engine::enter(std::size_t thread) {
  const std::size_t before = running_;
  running_ = thread;
  fibers_[thread].context.enter();
  running_ = before;
}

void engine::body(std::size_t thread) {
  program_.run(static_cast<unsigned>(thread));
  auto& own = fibers_[thread];
  for (std::size_t i = own.records.size(); i-- > 0;)
    if (auto* const last_rites = std::exchange(own.records[i].at_exit, nullptr))
      last_rites(own.records[i].object);
  for (const auto& each : own.records) free_block(region::address_of(each.object));
  request end;
  post(end);
  auto& self = now_->threads[thread];
  self.locks.clear();
  self.loop = 0;
  now_->mem.forget_saved(thread);
  now_->mem.threads[thread].live = false;
  for (;;) own.context.leave();
}

void engine::fail(violation_kind kind, std::string text) {
  set_wrong(kind, std::move(text));
  for (;;) fibers_[running_].context.leave();
}

void engine::set_wrong(violation_kind kind, std::string text) {
  if (wrong_) return;
  wrong_ = {kind, std::move(text)};
  if (trace != nullptr) trace->push_back("      " + std::string(name_of(kind)) + ": " + wrong_.text);
}

void engine::push(std::size_t thread, std::uint64_t result) {
  auto& self = now_->threads[thread];
  if (self.history.size() == self.history.capacity()) {
    set_wrong(violation_kind::runaway, "a thread takes too many steps");
    return;
  }
  self.history.push_back(result);
  alike_.add(self.digest, result);
  fibers_[thread].log.push_back(result);
}

void engine::complete(std::size_t thread) {
  if (wrong_) return;
  fibers_[thread].feeding = false;
  enter(thread);
}

void engine::post(const request& wanted) {
  auto& self = now_->threads[running_];
  self.next = wanted;
  if (wanted.where != 0 && wanted.what <= action::compare_exchange_weak &&
      now_->mem.block_of(wanted.where) != memory::none)
    now_->mem.atom_at(wanted.where, wanted.initial);
  if (self.silent_step != 0) {  // it went on, so what it left in memory counts
    self.silent_step = 0;
    self.wrote = true;
    now_->mem.forget_saved(running_);
  }
  if (self.opening) {
    self.opening = false;
    self.wrote = false;
    self.steps_in_iteration = 0;
    self.looked_at.clear();
    self.news = false;
    self.first = wanted;
    self.first_digest = self.digest;
    self.first_history = static_cast<std::uint16_t>(self.history.size());
    now_->mem.save(running_);
  }
}

std::uint64_t engine::ask(request wanted) {
  auto& own = fibers_[running_];
  if (own.signals_left > 0 && wanted.what != action::choose && flip()) {
    --own.signals_left;
    ++own.in_handler;
    own.handler();
    --own.in_handler;
  }
  if (own.feeding && own.log.size() < own.source->history.size()) {
    own.log.push_back(own.source->history[own.log.size()]);
    return own.log.back();
  }
  try {
    if (!own.feeding) post(wanted);
  } catch (const std::exception& error) {
    fail(violation_kind::runaway, error.what());
  }
  own.context.leave();
  return result_;
}

bool engine::ask_compare(request wanted, std::uint64_t& found) {
  auto& own = fibers_[running_];
  found = ask(wanted);
  if (!own.feeding) return result_ok_;
  own.log.push_back(own.source->history[own.log.size()]);
  return own.log.back() != 0;
}

bool engine::flip() {
  request wanted;
  wanted.what = action::choose;
  wanted.operand = 2;
  return ask(wanted) != 0;
}

// The World's instant requests: they touch no atomic word, so they need no scheduling.

std::uint64_t engine::plain_read(address where, std::uint64_t initial) {
  if (mode_ == mode::finishing) return now_->mem.plain_value(where, initial);
  auto& own = fibers_[running_];
  if (own.feeding) {
    own.log.push_back(own.source->history[own.log.size()]);
    return own.log.back();
  }
  std::uint64_t value = 0;
  request shown;
  shown.where = where;
  try {
    check(running_, shown, now_->mem.plain_read(running_, where, initial, value));
    if (trace != nullptr && !wrong_) trace_plain(where, value, false);
    if (!wrong_) push(running_, value);
  } catch (const std::exception& error) {
    set_wrong(violation_kind::runaway, error.what());
  }
  if (wrong_) fail(wrong_.kind, wrong_.text);
  return value;
}

void engine::plain_write(address where, std::uint64_t value) {
  if (feeding()) return;
  request shown;
  shown.where = where;
  try {
    check(running_, shown, now_->mem.plain_write(running_, where, value));
  } catch (const std::exception& error) {
    set_wrong(violation_kind::runaway, error.what());
  }
  if (wrong_) fail(wrong_.kind, wrong_.text);
  now_->threads[running_].wrote = true;  // an iteration that has written cannot be undone
  now_->mem.forget_saved(running_);
  if (trace != nullptr) trace_plain(where, value, true);
}

// Objects in blocks live as long as their block; one on a stack is a block of its own. A word that starts
// with something else than zero must have its first message before its maker's fiber moves on.
void engine::made_atomic(address where, std::size_t bytes, std::uint64_t initial) {
  if (outside() || feeding()) return;
  try {
    if (region::get().stack_owner(where) != max_threads) now_->mem.create(running_, where, bytes, true);
    if (initial != 0) now_->mem.atom_at(where, initial);
  } catch (const std::exception& error) {
    fail(violation_kind::runaway, error.what());
  }
}

void engine::made_plain(address where, std::size_t bytes, std::uint64_t initial) {
  if (outside() || feeding()) return;
  try {
    if (region::get().stack_owner(where) != max_threads) now_->mem.create(running_, where, bytes, true);
    if (initial != 0) static_cast<void>(now_->mem.plain_write(running_, where, initial));
  } catch (const std::exception& error) {
    fail(violation_kind::runaway, error.what());
  }
}

void engine::gone(address where) {
  if (outside() || feeding() || region::get().stack_owner(where) == max_threads) return;
  free_block(where);
}

void* engine::allocate(std::size_t bytes, std::size_t alignment) {
  const bool making = mode_ == mode::making;
  char* const base = making ? region::get().shared() : region::get().arena(running_);
  std::size_t& used = making ? shared_used_ : fibers_[running_].arena_used;
  used = (used + alignment - 1) / alignment * alignment;
  if (used + bytes > region::arena_bytes) throw std::bad_alloc();
  char* const place = base + used;
  used += bytes;
  if (making)
    setup_blocks_.emplace_back(region::address_of(place), bytes);
  else if (!feeding()) {
    try {
      now_->mem.create(running_, region::address_of(place), bytes, true);
    } catch (const std::exception& error) {
      fail(violation_kind::runaway, error.what());
    }
  }
  return place;
}

void engine::free_block(address where) {
  if (outside() || feeding()) return;
  if (region::get().in_shared(where) && !watches_shared_) {
    watches_shared_ = restart_ = true;
    fail(violation_kind::none, "");
  }
  request shown;
  shown.where = where;
  if (trace != nullptr)
    trace->push_back("      T" + std::to_string(running_) + "  free " + region::get().name(where));
  check(running_, shown, now_->mem.free(running_, where));
  if (wrong_) fail(wrong_.kind, wrong_.text);
}

void* engine::find_record(const void* kind) {
  for (const auto& each : fibers_[running_].records)
    if (each.kind == kind) return each.object;
  return nullptr;
}

void engine::add_record(const void* kind, void* object) {
  fibers_[running_].records.push_back({kind, object, nullptr});
}

void engine::at_exit(const void* kind, void (*run)(void*), void* object) {
  for (auto& each : fibers_[running_].records)
    if (each.kind == kind && each.object == object) each.at_exit = run;
}

void engine::loop_begins(address spinner) {
  if (outside() || feeding()) return;
  auto& self = now_->threads[running_];
  self.loop = spinner;
  self.loop_digest = self.digest;
  self.opening = true;
  self.steps_in_iteration = 0;
  self.silent_step = 0;
  self.wrote = false;
}

void engine::loop_ends(address spinner) {
  if (outside() || feeding()) return;
  auto& self = now_->threads[running_];
  if (self.loop != spinner) return;
  self.loop = 0;
  self.opening = false;
  self.silent_step = 0;
  self.steps_in_iteration = 0;
  self.wrote = false;
  self.news = false;
  self.looked_at.clear();
  now_->mem.forget_saved(running_);
}

void engine::roll_back(std::size_t thread) {
  auto& self = now_->threads[thread];
  self.next = self.first;
  self.digest = self.first_digest;
  self.history.resize(self.first_history);
  self.steps_in_iteration = 0;
  self.looked_at.clear();
  self.news = false;
  self.wrote = false;
  self.silent_step = 0;
  now_->mem.restore(thread);
}

// The iteration has failed. If it left nothing in memory it might as well not have been: the thread is where
// it was before, and will look again. If it did, the next iteration makes sense only once there is something
// new to see.
void engine::pause(address spinner) {
  if (outside()) return;
  request next;
  next.what = action::again;
  if (feeding()) {  // iterations that were rolled back are in no history
    ask(next);
    if (!feeding()) now_->threads[running_].opening = true;
    return;
  }
  auto& self = now_->threads[running_];
  const bool only_silent = !self.wrote && self.silent_step == now_->steps && self.silent_step != 0;
  if (self.loop == spinner && self.steps_in_iteration > 0 && !self.wrote &&
      (self.silent_step == 0 || only_silent)) {
    went_back_ = true;
    undo_step_ = only_silent;
    for (;;) fibers_[running_].context.leave();
  }
  const bool had_looked = self.loop == spinner && self.steps_in_iteration > 0;
  self.loop = spinner;
  if (!had_looked) self.looked_at.clear();
  ask(next);
  now_->threads[running_].opening = true;
}

void engine::add_arena(fingerprint& digest) const {
  const auto& own = fibers_[running_];
  const char* const arena = region::get().arena(running_);
  for (std::size_t i = 0; i + 8 <= own.arena_used; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, arena + i, 8);
    if (word == 0) continue;
    alike_.add(digest, i);
    alike_.add(digest, word);
  }
  alike_.add(digest, own.arena_used + static_cast<std::uint64_t>(own.signals_left) * 65536U);
}

void engine::checkpoint(std::uint64_t position) {
  if (outside() || feeding() || keeps_events_) return;
  auto& digest = now_->threads[running_].digest;
  digest.fill(mix(position, 0x636865636bU));
  add_arena(digest);
}

void engine::forget_history(address spinner) {
  if (outside() || feeding() || keeps_events_ || !settings_.forgets) return;
  auto& self = now_->threads[running_];
  if (self.loop != spinner || self.history.empty()) return;
  self.digest = self.loop_digest;
  alike_.add(self.digest, self.history.back());
}

void engine::forget_search(std::uint64_t place, std::uint64_t value) {
  if (outside() || feeding() || keeps_events_) return;
  auto& self = now_->threads[running_];
  self.digest = self.entry;
  alike_.add(self.digest, place);
  alike_.add(self.digest, value);
}

bool engine::deadline_passed() {
  if (outside()) return false;
  if (!feeding() && now_->threads[running_].late) {
    push(running_, 1);
    return true;
  }
  // In a history, both kinds of answer are one entry.
  const bool passed = flip();
  if (!feeding() && passed) now_->threads[running_].late = true;
  return passed;
}

void engine::on_signal(std::function<void()> handler, int times) {
  if (outside()) return;
  fibers_[running_].handler = std::move(handler);
  fibers_[running_].signals_left = times;
}

// Who wants, holds and leaves which lock.

void engine::locking(address lock) {
  if (outside()) return;
  fibers_[running_].lock_wanted = lock;
  if (feeding()) return;
  now_->threads[running_].entry = now_->threads[running_].digest;
  auto& locks = now_->threads[running_].locks;
  if (fibers_[running_].in_handler == 0)  // else the interrupted unlock still has its lock
    drop_if(locks, [](const auto& each) { return each.leaving; });
  locks.push_back({lock, false});
}

void engine::locked(address lock) {
  if (outside() || feeding()) return;
  auto& self = now_->threads[running_];
  if (fibers_[running_].in_handler == 0) drop_if(self.locks, [](const auto& each) { return each.leaving; });
  if (std::none_of(self.locks.begin(), self.locks.end(), [&](const auto& each) { return each.lock == lock; }))
    self.locks.push_back({lock, false});
  if (self.doorsteps_taken.empty()) return;
  const address where = self.doorsteps_taken.back();
  self.doorsteps_taken.pop_back();
  auto& queue = now_->queue;
  const auto first =
      std::find_if(queue.begin(), queue.end(), [&](const doorstep& each) { return each.where == where; });
  if (first->thread != running_)
    fail(violation_kind::not_fifo, "T" + std::to_string(running_) + " gets the lock before T" +
                                       std::to_string(first->thread) + ", which passed the doorstep earlier");
  queue.erase(first);
}

void engine::unlocking(address lock) {
  if (outside() || feeding()) return;
  now_->threads[running_].entry = now_->threads[running_].digest;
  for (auto& each : now_->threads[running_].locks)
    if (each.lock == lock) each.leaving = true;
}

void engine::gave_up(address lock, std::size_t bytes) {
  if (outside() || feeding()) return;
  auto& self = now_->threads[running_];
  drop_if(self.locks, [&](const auto& each) { return each.lock == lock; });
  if (self.doorsteps_taken.empty() || self.doorsteps_taken.back() - lock >= bytes) return;
  const address where = self.doorsteps_taken.back();
  self.doorsteps_taken.pop_back();
  drop_if(now_->queue, [&](const doorstep& each) { return each.where == where && each.thread == running_; });
}

void engine::new_deadline() {
  if (!outside() && !feeding()) now_->threads[running_].late = false;
}

// Assertions: every value that their loads may see.

bool engine::begin_expect() {
  if (outside() || feeding()) return false;
  expecting_ = true;
  expect_choices_.clear();
  expect_cursor_ = 0;
  return true;
}

void engine::expectation_failed() {
  expecting_ = false;
  fail(violation_kind::assertion, "an assertion in the lock does not hold");
}

bool engine::next_expect() {
  while (!expect_choices_.empty() && expect_choices_.back().first + 1 >= expect_choices_.back().second)
    expect_choices_.pop_back();
  if (expect_choices_.empty()) {
    expecting_ = false;
    return false;
  }
  ++expect_choices_.back().first;
  expect_cursor_ = 0;
  return true;
}

bool engine::expected_load(address where, std::uint64_t initial, std::uint64_t& value) {
  if (!expecting_) return false;
  const std::size_t word = now_->mem.find_atom(where);
  if (word == memory::none) {
    value = initial;
    return true;
  }
  const std::size_t low = now_->mem.oldest_readable(running_, word);
  if (expect_cursor_ == expect_choices_.size())
    expect_choices_.emplace_back(0, now_->mem.atoms[word].count - low);
  value = now_->mem.at(word, low + expect_choices_[expect_cursor_++].first).value;
  return true;
}

std::uint64_t engine::outside_load(address where, std::uint64_t initial) const {
  if (mode_ != mode::finishing) return initial;
  const std::size_t word = now_->mem.find_atom(where);
  return word == memory::none ? initial : now_->mem.at(word, now_->mem.atoms[word].count - 1U).value;
}

violation engine::finish(state& end) {
  mode_ = mode::finishing;
  now_ = &end;
  std::string text = program_.finish();
  mode_ = mode::running;
  if (text.empty()) return {};
  if (trace != nullptr) trace->push_back("      at the end: " + text);
  return {violation_kind::wrong_result, std::move(text)};
}

}  // namespace hemlock::check
