#include "check/memory.hpp"

#include <algorithm>
#include <stdexcept>

namespace hemlock::check {
namespace {

template <std::size_t Size>
void open_column(std::array<std::uint8_t, Size>& row, std::size_t index, std::uint8_t value) {
  std::move_backward(row.begin() + static_cast<std::ptrdiff_t>(index), row.end() - 1, row.end());
  row[index] = value;
}
template <std::size_t Size>
void close_column(std::array<std::uint8_t, Size>& row, std::size_t index) {
  std::move(row.begin() + static_cast<std::ptrdiff_t>(index) + 1, row.end(),
            row.begin() + static_cast<std::ptrdiff_t>(index));
  row.back() = 0;
}

template <class List>
auto lower(List& list, address where) {
  return std::lower_bound(list.begin(), list.end(), where,
                          [](const auto& entry, address key) { return entry.where < key; });
}

}  // namespace

// Cells are kept in the order of their addresses, a block before the plain variables in it, so that a state
// does not depend on who came first.
std::size_t memory::insert_cell(const cell& made) {
  if (cells.size() == cells.capacity()) throw std::length_error("the program has too many plain variables");
  auto place = lower(cells, made.where);
  if (place != cells.end() && place->where == made.where && place->bytes != 0) ++place;
  const auto index = static_cast<std::size_t>(place - cells.begin());
  cells.insert(place, made);
  for_each_view([&](view& each) { open_column(each.seen, index, 0); });
  return index;
}

void memory::erase_cell(std::size_t index) {
  cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(index));
  for_each_view([&](view& each) { close_column(each.seen, index); });
}

void memory::erase_atom(std::size_t index) {
  const atom gone = atoms[index];
  messages.erase(messages.begin() + gone.first, messages.begin() + gone.first + gone.count);
  atoms.erase(atoms.begin() + static_cast<std::ptrdiff_t>(index));
  for (auto& other : atoms)
    if (other.first > gone.first) other.first = static_cast<std::uint16_t>(other.first - gone.count);
  for_each_view([&](view& each) { close_column(each.at, index); });
}

std::size_t memory::block_of(address where) const {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].bytes != 0 && where - cells[i].where < cells[i].bytes) return i;
  return none;
}

void memory::mark(std::size_t thread, std::size_t index) {
  const auto bit = view::bit(thread);
  cells[index].touched = static_cast<std::uint8_t>(cells[index].touched | bit);
  for_each_view([&](view& each) { each.seen[index] = static_cast<std::uint8_t>(each.seen[index] & ~bit); });
  auto& own = threads[thread].now.seen[index];
  own = static_cast<std::uint8_t>(own | bit);
}

void memory::mark_write(std::size_t thread, std::size_t index) {
  auto& self = threads[thread];
  cells[index].touched = view::bit(thread);
  for_each_view([&](view& each) { each.seen[index] = 0; });
  self.now.seen[index] = static_cast<std::uint8_t>(view::last_write | view::bit(thread));
  // A turn of a spin loop that is forgotten has written all the same, and its thread knows.
  if (self.has_saved) self.saved.seen[index] = self.now.seen[index];
}

void memory::create(std::size_t thread, address where, std::size_t bytes, bool watched) {
  cell made;
  made.where = where;
  made.bytes = static_cast<std::uint32_t>(bytes);
  made.watched = watched;
  mark_write(thread, insert_cell(made));
}

void memory::create_before_all(address where, std::size_t bytes, bool watched) {
  cell made;
  made.where = where;
  made.bytes = static_cast<std::uint32_t>(bytes);
  made.watched = watched;
  const std::size_t index = insert_cell(made);
  for_each_view([&](view& each) { each.seen[index] = view::last_write; });
}

fault memory::free(std::size_t thread, address where) {
  const std::size_t index = block_of(where);
  if (index == none) return "freed twice, or never made";
  const auto& own = threads[thread].now.seen[index];
  if ((own & view::last_write) == 0) return "freed by a thread that does not know that it has been made";
  const auto unseen = static_cast<std::uint8_t>(cells[index].touched & ~own & ~view::bit(thread));
  if (unseen != 0) {
    std::string who;
    for (std::size_t other = 0; other < threads.size(); ++other)
      if ((unseen & view::bit(other)) != 0) who += " T" + std::to_string(other);
    return "freed while still in use by" + who;
  }
  const address begin = cells[index].where;
  const std::size_t bytes = cells[index].bytes;
  for (std::size_t i = cells.size(); i-- > 0;)
    if (cells[i].where - begin < bytes) erase_cell(i);
  for (std::size_t i = atoms.size(); i-- > 0;)
    if (atoms[i].where - begin < bytes) erase_atom(i);
  drop_if(monitors, [&](const monitor_state& each) { return each.where - begin < bytes; });
  return std::nullopt;
}

// A plain variable is made together with its block, so at first everybody who knows the block knows it.
std::size_t memory::plain_at(address where, std::uint64_t initial) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].bytes == 0 && cells[i].where == where) return i;
  cell made;
  made.where = where;
  made.value = initial;
  const std::size_t index = insert_cell(made);
  for_each_view([&](view& each) { each.seen[index] = view::last_write; });
  return index;
}

fault memory::plain_read(std::size_t thread, address where, std::uint64_t initial, std::uint64_t& value) {
  if (auto wrong = touch(thread, where)) return wrong;
  const std::size_t index = plain_at(where, initial);
  if ((threads[thread].now.seen[index] & view::last_write) == 0)
    return "data race: read, not ordered after a write";
  mark(thread, index);
  value = cells[index].value;
  return std::nullopt;
}

fault memory::plain_write(std::size_t thread, address where, std::uint64_t value) {
  if (auto wrong = touch(thread, where)) return wrong;
  const std::size_t index = plain_at(where, value);
  const auto own = threads[thread].now.seen[index];
  if ((own & view::last_write) == 0) return "data race: written, not ordered after another write";
  if ((cells[index].touched & ~own & ~view::bit(thread)) != 0)
    return "data race: written, not ordered after another access";
  mark_write(thread, index);
  cells[index].value = value;
  return std::nullopt;
}

std::uint64_t memory::plain_value(address where, std::uint64_t initial) const {
  for (const auto& each : cells)
    if (each.bytes == 0 && each.where == where) return each.value;
  return initial;
}

fault memory::touch(std::size_t thread, address where) {
  const std::size_t index = block_of(where);
  if (index == none) return "use of memory that is not there: freed, or never made";
  if ((threads[thread].now.seen[index] & view::last_write) == 0)
    return "data race: used, but its construction does not happen before";
  if (cells[index].watched) mark(thread, index);
  return std::nullopt;
}

std::size_t memory::find_atom(address where) const {
  for (std::size_t i = 0; i < atoms.size(); ++i)
    if (atoms[i].where == where) return i;
  return none;
}

std::size_t memory::atom_at(address where, std::uint64_t initial) {
  const std::size_t known = find_atom(where);
  if (known != none) return known;
  if (atoms.size() == atoms.capacity()) throw std::length_error("the program has too many atomic words");
  const auto place = lower(atoms, where);
  const auto index = static_cast<std::size_t>(place - atoms.begin());
  atom made;
  made.where = where;
  made.first = index == 0 ? std::uint16_t{0}
                          : static_cast<std::uint16_t>(atoms[index - 1].first + atoms[index - 1].count);
  made.count = 0;
  atoms.insert(place, made);
  for_each_view([&](view& each) { open_column(each.at, index, 0); });
  message first;
  first.value = initial;
  insert_message(index, 0, first);
  for_each_view([&](view& each) { each.at[index] = 0; });
  return index;
}

void memory::insert_message(std::size_t word, std::size_t index, const message& made) {
  if (messages.size() == messages.capacity()) throw std::length_error("the program has too many writes");
  auto& target = atoms[word];
  messages.insert(messages.begin() + target.first + static_cast<std::ptrdiff_t>(index), made);
  ++target.count;
  for (std::size_t i = word + 1; i < atoms.size(); ++i) ++atoms[i].first;
  for_each_view([&](view& each) {
    if (each.at[word] >= index) ++each.at[word];
  });
  if (target.sleep_floor >= index && target.count > 1) ++target.sleep_floor;
}

std::int16_t memory::log(std::size_t thread, event::kind_type kind, std::memory_order order, address where,
                         std::int16_t source) {
  if (!keeps_events) return -1;
  if (events.size() == events.capacity()) throw std::length_error("the seq_cst program is too long");
  auto& own = threads[thread].now.events;
  const auto index = static_cast<std::int16_t>(events.size());
  event made{kind, static_cast<std::uint8_t>(thread), order, where, source, own};
  events.push_back(made);
  own[static_cast<std::size_t>(index) / 64] |= std::uint64_t{1} << (index % 64);
  return index;
}

void memory::read(std::size_t thread, std::size_t word, std::size_t index, std::memory_order order) {
  auto& reader = threads[thread];
  const message& source = at(word, index);
  reader.now.at[word] = std::max(reader.now.at[word], static_cast<std::uint8_t>(index));
  if (acquires(order)) reader.now.join(source.released);
  if (uses_fences) reader.pending.join(source.released);
  log(thread, event::read, order, atoms[word].where, source.event);
}

void memory::write(std::size_t thread, std::size_t word, std::size_t index, std::uint64_t value,
                   std::memory_order order, std::uint16_t step) {
  message made;
  made.value = value;
  made.step = step;
  made.event = log(thread, event::write, order, atoms[word].where, -1);
  insert_message(word, index, made);
  auto& writer = threads[thread];
  writer.now.at[word] = static_cast<std::uint8_t>(index);
  message& stored = messages[atoms[word].first + index];
  stored.released = releases(order) ? writer.now : writer.fenced;
  stored.released.at[word] = static_cast<std::uint8_t>(index);
}

void memory::update(std::size_t thread, std::size_t word, std::size_t index, std::uint64_t value,
                    std::memory_order order, std::uint16_t step) {
  auto& updater = threads[thread];
  const message source = at(word, index);
  if (acquires(order)) updater.now.join(source.released);
  if (uses_fences) updater.pending.join(source.released);
  message made;
  made.value = value;
  made.step = step;
  made.rmw = true;
  made.event = log(thread, event::update, order, atoms[word].where, source.event);
  const std::size_t place = index + 1;
  insert_message(word, place, made);
  updater.now.at[word] = static_cast<std::uint8_t>(place);
  message& stored = messages[atoms[word].first + place];
  stored.released = releases(order) ? updater.now : updater.fenced;
  // The source is taken anew: inserting has moved indices in its view as in all others.
  stored.released.join(at(word, index).released);
  stored.released.at[word] = static_cast<std::uint8_t>(place);
}

void memory::fence(std::size_t thread, std::memory_order order) {
  auto& self = threads[thread];
  if (acquires(order)) self.now.join(self.pending);
  log(thread, event::fence, order, 0, -1);
  if (releases(order)) self.fenced = self.now;
}

monitor_state& memory::monitor_at(address where) {
  for (auto& each : monitors)
    if (each.where == where) return each;
  if (monitors.size() == monitors.capacity()) throw std::length_error("the program has too many monitors");
  monitor_state made;
  made.where = where;
  return *monitors.insert(lower(monitors, where), made);
}

// A turn of a wait loop that is forgotten has only read, and nobody has synchronised with that.
void memory::erase_events(std::size_t thread, std::size_t from) {
  std::array<std::int16_t, max_events> moved{};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool gone = i >= from && events[i].thread == thread;
    moved[i] = gone ? std::int16_t{-1} : static_cast<std::int16_t>(kept);
    if (!gone) events[kept++] = events[i];
  }
  if (kept == events.size()) return;
  const std::size_t before = events.size();
  events.resize(kept);
  const auto renumber = [&](std::int16_t& index) {
    if (index >= 0) index = moved[static_cast<std::size_t>(index)];
  };
  const auto renumber_all = [&](std::array<std::uint64_t, 2>& set) {
    std::array<std::uint64_t, 2> fresh{};
    for (std::size_t i = 0; i < before; ++i)
      if (((set[i / 64] >> (i % 64)) & 1U) != 0 && moved[i] >= 0) {
        const auto place = static_cast<std::size_t>(moved[i]);
        fresh[place / 64] |= std::uint64_t{1} << (place % 64);
      }
    set = fresh;
  };
  for (auto& each : events) {
    renumber(each.source);
    renumber_all(each.before);
  }
  for (auto& each : messages) renumber(each.event);
  for_each_view([&](view& each) { renumber_all(each.events); });
  for (auto& each : threads) {
    std::size_t below = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(each.saved_events, before); ++i)
      if (moved[i] >= 0) ++below;
    each.saved_events = static_cast<std::uint16_t>(below);
  }
}

void memory::save(std::size_t thread) {
  auto& self = threads[thread];
  self.saved_events = static_cast<std::uint16_t>(events.size());
  self.saved = self.now;
  self.saved_pending = self.pending;
  self.has_saved = true;
}

void memory::restore(std::size_t thread) {
  auto& self = threads[thread];
  const auto accesses = self.now.seen;  // its looks at memory have taken place all the same
  self.now = self.saved;
  self.pending = self.saved_pending;
  const auto bit = view::bit(thread);
  for (std::size_t i = 0; i < max_cells; ++i)
    self.now.seen[i] = static_cast<std::uint8_t>(self.now.seen[i] | (accesses[i] & bit));
  if (keeps_events) erase_events(thread, self.saved_events);
}

void memory::collect() {
  if (keeps_events) return;
  for (std::size_t word = 0; word < atoms.size(); ++word) {
    std::size_t low = atoms[word].count - 1U;
    for (const auto& thread : threads) {
      if (!thread.live) continue;
      low = std::min<std::size_t>(low, thread.now.at[word]);
      if (thread.has_saved) low = std::min<std::size_t>(low, thread.saved.at[word]);
    }
    if (low > 0) {
      const auto begin = messages.begin() + atoms[word].first;
      messages.erase(begin, begin + static_cast<std::ptrdiff_t>(low));
      atoms[word].count = static_cast<std::uint16_t>(atoms[word].count - low);
      for (std::size_t i = word + 1; i < atoms.size(); ++i)
        atoms[i].first = static_cast<std::uint16_t>(atoms[i].first - low);
      const auto clip = [&](std::uint8_t& index) {
        index = static_cast<std::uint8_t>(index > low ? index - low : 0);
      };
      for_each_view([&](view& each) { clip(each.at[word]); });
      clip(atoms[word].sleep_floor);
    }
    messages[atoms[word].first].rmw = false;  // nothing can come before it any more
  }
  // What every running thread knows adds nothing to a message.
  view common;
  common.seen.fill(0xff);
  for (const auto& thread : threads) {
    if (!thread.live) continue;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      common.seen[i] = static_cast<std::uint8_t>(common.seen[i] & thread.now.seen[i]);
      if (thread.has_saved) common.seen[i] = static_cast<std::uint8_t>(common.seen[i] & thread.saved.seen[i]);
    }
  }
  for (auto& entry : messages)
    for (std::size_t i = 0; i < cells.size(); ++i)
      entry.released.seen[i] = static_cast<std::uint8_t>(entry.released.seen[i] | common.seen[i]);
}

}  // namespace hemlock::check
