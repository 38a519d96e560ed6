#include "sim/ring.hpp"

#include "hemlock/platform/cache_line.hpp"
#include "sim/world.hpp"

namespace hemlock::sim {
namespace {

struct mailbox_word {
  atomic<std::uint64_t> token{0};
};
using mailbox = padded<mailbox_word>;

void await(mailbox& mine, look how) {
  spinner<false> wait;
  switch (how) {
    case look::load:
      while (mine.token.load(order::acquire<"full">) == 0) wait.pause();
      mine.token.store(0, order::relaxed<"empty">);
      break;
    case look::cas:
      for (std::uint64_t token = 1;
           !mine.token.compare_exchange_strong(token, 0, order::acquire<"full">, order::relaxed<"full-not">);
           token = 1)
        wait.pause();
      break;
    case look::swap:
      while (mine.token.exchange(0, order::acquire<"full">) == 0) wait.pause();
      break;
    case look::faa:
      while (mine.token.fetch_add(0, order::acquire<"full">) == 0) wait.pause();
      mine.token.store(0, order::relaxed<"empty">);
      break;
  }
}

}  // namespace

std::string_view name_of(look how) {
  switch (how) {
    case look::load:
      return "load";
    case look::cas:
      return "CAS";
    case look::swap:
      return "SWAP";
    case look::faa:
      return "FAA";
  }
  return "?";
}

run_result run(const profile& on, const machine_options& options, const ring& what) {
  machine host(on, options);
  const auto where = host.placement(what.threads);
  std::vector<mailbox*> boxes;
  for (int i = 0; i < what.threads; ++i)
    boxes.push_back(new (host.memory().allocate(sizeof(mailbox))) mailbox{});
  run_result result;
  picoseconds since = 0;
  counters before;
  for (std::size_t i = 0; i < where.size(); ++i)
    host.run_on(where[i], 0, [&, i] {
      mailbox& next = *boxes[(i + 1) % boxes.size()];
      for (int lap = 0; lap < what.warm_up_laps + what.laps; ++lap) {
        if (i > 0 || lap > 0) await(*boxes[i], what.how);
        if (i == 0 && lap == what.warm_up_laps) {
          since = host.now();
          before = host.counted();
        }
        next.token.store(1, order::release<"pass">);
      }
      if (i == 0) {  // the token comes home
        await(*boxes[0], what.how);
        result.steps = static_cast<std::uint64_t>(what.laps * what.threads);
        result.duration = host.now() - since;
        result.counted = host.counted() - before;
      }
    });
  host.run();
  result.ended = host.now();
  return result;
}

}  // namespace hemlock::sim
