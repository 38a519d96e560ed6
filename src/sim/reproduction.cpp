#include "sim/reproduction.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace hemlock::sim {
namespace {

mutexbench contended(const std::string& lock, int threads, contention how = contention::maximum) {
  mutexbench what;
  what.lock = lock;
  what.threads = threads;
  what.how = how;
  what.rounds = 16;
  what.warm_up_rounds = 4;
  return what;
}

constexpr double million = 1e6;

/// Averages on one machine; what was asked before is not simulated again.
class answers {
public:
  answers(const profile& on, int seeds) : on_(on), seeds_(seeds) {}

  const averages& mutex(const std::string& lock, int threads, contention how = contention::maximum) {
    return once(fmt::format("{} {} {}", lock, threads, how == contention::maximum ? "maximum" : "moderate"),
                [&] { return average_mutexbench(on_, contended(lock, threads, how), seeds_); });
  }
  /// In millions a second.
  double rate(const std::string& lock, int threads, contention how = contention::maximum) {
    return mutex(lock, threads, how).rate / million;
  }
  const averages& leader(const std::string& lock, int threads) {
    return once(fmt::format("{} {} leader", lock, threads), [&] {
      multiwait what;
      what.lock = lock;
      what.threads = threads;
      what.leader_steps = 25;
      return average_multiwait(on_, what, seeds_);
    });
  }
  double circulation(look how, int threads) {
    return once(fmt::format("{} {} ring", name_of(how), threads),
                [&] {
                  ring what;
                  what.how = how;
                  what.threads = threads;
                  what.laps = 10;
                  return average_ring(on_, what, seeds_);
                })
               .rate /
           million;
  }
  [[nodiscard]] int seeds() const { return seeds_; }
  [[nodiscard]] const profile& on() const { return on_; }

private:
  template <class Ask>
  const averages& once(const std::string& question, Ask ask) {
    const auto known = known_.find(question);
    return known != known_.end() ? known->second : known_.emplace(question, ask()).first->second;
  }

  profile on_;
  int seeds_;
  std::map<std::string, averages> known_;
};

/// Figures of one statement, gathered as they are compared.
class evidence {
public:
  evidence(std::string text, std::string command) {
    made_.text = std::move(text);
    made_.command = std::move(command);
    made_.holds = true;
  }
  void must(bool holds) { made_.holds = made_.holds && holds; }
  template <class... Values>
  void note(fmt::format_string<Values...> format, Values&&... values) {
    if (!made_.figures.empty()) made_.figures += "; ";
    made_.figures += fmt::format(format, std::forward<Values>(values)...);
  }
  /// A parameter was fitted to it: that it holds then confirms nothing.
  void fitted() { made_.fitted = true; }
  [[nodiscard]] statement done() const { return made_; }

private:
  statement made_;
};

/// How a reader repeats it.
std::string command(const answers& ask, const std::string& rest) {
  return fmt::format("hemlock sim {} --machine {} --seeds {}", rest, ask.on().name, ask.seeds());
}

statement maximum_order(answers& ask) {
  evidence made("At 32 threads and maximum contention: Hemlock, then CLH and MCS, then Hemlock-, then Ticket",
                command(ask, "mutexbench --threads 32"));
  const double ctr = ask.rate("hemlock-ctr", 32), naive = ask.rate("hemlock-naive", 32);
  const double mcs = ask.rate("mcs", 32), clh = ask.rate("clh", 32), ticket = ask.rate("ticket", 32);
  made.must(ctr > std::max(mcs, clh) && std::min(mcs, clh) > naive && naive > ticket);
  made.note("Hemlock {:.2f}, MCS {:.2f}, CLH {:.2f}, Hemlock- {:.2f}, Ticket {:.2f} M/s", ctr, mcs, clh,
            naive, ticket);
  return made.done();
}

statement maximum_ticket(answers& ask) {
  evidence made(
      "Maximum contention: Ticket does well at 2 and 4 threads (ahead of MCS and CLH, or less than 5 % "
      "behind), and is "
      "last at 32",
      command(ask, "mutexbench --threads 2,4,32"));
  for (const int threads : {2, 4, 32}) {
    const double ticket = ask.rate("ticket", threads);
    const double mcs = ask.rate("mcs", threads), clh = ask.rate("clh", threads);
    made.must(threads < 32 ? ticket > 0.95 * std::max(mcs, clh) : ticket < std::min(mcs, clh));
    made.note("{}: {:.2f} against {:.2f} and {:.2f} M/s", threads, ticket, mcs, clh);
  }
  return made.done();
}

statement moderate_queue(answers& ask) {
  evidence made("Moderate contention: Hemlock ahead of MCS and CLH from 8 threads on",
                command(ask, "mutexbench --contention moderate --threads 8,16,32"));
  for (const int threads : {8, 16, 32}) {
    const double ctr = ask.rate("hemlock-ctr", threads, contention::moderate);
    const double mcs = ask.rate("mcs", threads, contention::moderate);
    const double clh = ask.rate("clh", threads, contention::moderate);
    made.must(ctr > mcs && ctr > clh);
    made.note("{}: {:.2f} against {:.2f} and {:.2f} M/s", threads, ctr, mcs, clh);
  }
  return made.done();
}

statement moderate_ticket(answers& ask) {
  evidence made("Moderate contention: Ticket ahead of MCS and CLH at 2 and 4 threads, last at 32",
                command(ask, "mutexbench --contention moderate --threads 2,4,32"));
  for (const int threads : {2, 4, 32}) {
    const double ticket = ask.rate("ticket", threads, contention::moderate);
    const double mcs = ask.rate("mcs", threads, contention::moderate);
    const double clh = ask.rate("clh", threads, contention::moderate);
    made.must(threads < 32 ? ticket > std::max(mcs, clh) : ticket < std::min(mcs, clh));
    made.note("{}: {:.2f} against {:.2f} and {:.2f} M/s", threads, ticket, mcs, clh);
  }
  return made.done();
}

statement multiwaiting(answers& ask) {
  evidence made(
      "Multi-waiting: MCS and CLH, then Hemlock-, then Hemlock with CTR at 8 to 32 threads (2 % is a tie)",
      command(ask, "multiwait --threads 8,16,32"));
  for (const int threads : {8, 16, 32}) {
    const double mcs = ask.leader("mcs", threads).rate, clh = ask.leader("clh", threads).rate;
    const double naive = ask.leader("hemlock-naive", threads).rate,
                 ctr = ask.leader("hemlock-ctr", threads).rate;
    made.must(mcs > naive && clh > 0.98 * naive && naive > ctr);
    made.note("{}: {:.0f}, {:.0f}, {:.0f}, {:.0f} k/s", threads, mcs / 1e3, clh / 1e3, naive / 1e3,
              ctr / 1e3);
  }
  made.fitted();
  return made.done();
}

statement waiters_per_word(answers& ask) {
  evidence made(
      "Multi-waiting, 32 threads: one thread waits on a word of MCS and CLH, several on a Grant of Hemlock, "
      "all on "
      "Ticket's word",
      command(ask, "multiwait --threads 32"));
  const int mcs = ask.leader("mcs", 32).most_pollers, clh = ask.leader("clh", 32).most_pollers;
  const int ctr = ask.leader("hemlock-ctr", 32).most_pollers,
            naive = ask.leader("hemlock-naive", 32).most_pollers;
  const int ticket = ask.leader("ticket", 32).most_pollers;
  made.must(mcs == 1 && clh == 1 && std::min(ctr, naive) > 1 && ticket > std::max(ctr, naive) &&
            ticket <= 31);
  made.note("at most: MCS {}, CLH {}, Hemlock {}, Hemlock- {}, Ticket {}", mcs, clh, ctr, naive, ticket);
  return made.done();
}

statement one_socket(answers& ask) {
  profile alone = ask.on();
  alone.sockets = 1;
  if (alone.name == "intel-x5-2") alone.name = "intel-one-socket";
  answers there(alone, ask.seeds());
  evidence made("CTR helps on a single socket as well",
                command(there, "mutexbench --threads 8,16 --locks hemlock-ctr,hemlock-naive"));
  for (const int threads : {8, 16}) {
    const double ctr = there.rate("hemlock-ctr", threads), naive = there.rate("hemlock-naive", threads);
    made.must(ctr > naive);
    made.note("{}: {:.2f} against {:.2f} M/s", threads, ctr, naive);
  }
  return made.done();
}

statement aggressive(answers& ask) {
  evidence made("Aggressive hand-over is ahead of Hemlock at 8 to 32 threads",
                command(ask, "mutexbench --threads 8,16,32 --locks hemlock-ah,hemlock-ctr"));
  for (const int threads : {8, 16, 32}) {
    const double ah = ask.rate("hemlock-ah", threads), ctr = ask.rate("hemlock-ctr", threads);
    made.must(ah > ctr);
    made.note("{}: {:.2f} against {:.2f} M/s", threads, ah, ctr);
  }
  return made.done();
}

statement ring_is_faster(answers& ask) {
  evidence made("The ring circulates faster with CAS, SWAP or fetch-and-add than with loads",
                command(ask, "ring --threads 8,32"));
  for (const int threads : {8, 32}) {
    const double load = ask.circulation(look::load, threads);
    const double cas = ask.circulation(look::cas, threads), swap = ask.circulation(look::swap, threads);
    const double faa = ask.circulation(look::faa, threads);
    made.must(std::min({cas, swap, faa}) > load);
    made.note("{}: load {:.2f}, CAS {:.2f}, SWAP {:.2f}, FAA {:.2f} M/s", threads, load, cas, swap, faa);
  }
  return made.done();
}

statement less_traffic(answers& ask) {
  evidence made("CTR lowers offcore traffic, and avoids upgrades (32 threads)",
                command(ask, "mutexbench --threads 32 --locks hemlock-ctr,hemlock-naive"));
  const auto &ctr = ask.mutex("hemlock-ctr", 32), &naive = ask.mutex("hemlock-naive", 32);
  made.must(ctr.offcore < naive.offcore && ctr.upgrades < naive.upgrades);
  made.note("{:.2f} against {:.2f} accesses, {:.2f} against {:.2f} upgrades", ctr.offcore, naive.offcore,
            ctr.upgrades, naive.upgrades);
  return made.done();
}

statement node_traffic(answers& ask) {
  evidence made(
      "MCS and CLH have moderately more offcore traffic than Hemlock, Ticket has far more (32 threads)",
      command(ask, "mutexbench --threads 32"));
  const double ctr = ask.mutex("hemlock-ctr", 32).offcore;
  const double mcs = ask.mutex("mcs", 32).offcore, clh = ask.mutex("clh", 32).offcore;
  const double ticket = ask.mutex("ticket", 32).offcore;
  made.must(mcs > ctr && clh > ctr && ticket > 2 * std::max(mcs, clh));
  made.note("Hemlock {:.1f}, MCS {:.1f}, CLH {:.1f}, Ticket {:.1f} accesses", ctr, mcs, clh, ticket);
  return made.done();
}

}  // namespace

std::vector<offcore_row> offcore_table(const profile& on, int seeds) {
  std::vector<offcore_row> rows{{"hemlock-ctr", 4.48, 6.81, 0},
                                {"hemlock-naive", 3.62, 7.92, 0.05},
                                {"mcs", 3.81, 10.6, 0.10},
                                {"clh", 3.82, 11.1, 0.25},
                                {"ticket", 2.66, 45.9, 0.20}};
  for (auto& row : rows) {
    row.full = average_mutexbench(on, contended(row.lock, 32), seeds);
    row.plain = average_mutexbench(on.plain(), contended(row.lock, 32), seeds);
  }
  return rows;
}

double relative_error(const offcore_row& row, const offcore_row& hemlock, bool plain) {
  const double ours =
      plain ? row.plain.offcore / hemlock.plain.offcore : row.full.offcore / hemlock.full.offcore;
  return ours / (row.paper_offcore / hemlock.paper_offcore) - 1;
}

std::vector<variant> model_variants(const profile& full) {
  std::vector<variant> made{{"full", full}, {"plain", full.plain()}};
  profile one = full;
  one.adjacent_line_prefetch = false;
  one.node_spacing = 128;
  made.push_back({"without adjacent-line prefetch", one});
  one = full;
  one.remote_read_invalidates = false;
  made.push_back({"remote reads leave a copy", one});
  one = full;
  one.stores = store_policy::tso;
  made.push_back({"with a store buffer", one});
  one.stores = store_policy::tso_prefetch;
  made.push_back({"with a store buffer that prefetches ownership", one});
  return made;
}

std::vector<statement> ask_statements(const profile& on, int seeds) {
  answers ask(on, seeds);
  return {maximum_order(ask),  maximum_ticket(ask),  less_traffic(ask),  node_traffic(ask),
          moderate_queue(ask), moderate_ticket(ask), multiwaiting(ask),  waiters_per_word(ask),
          one_socket(ask),     aggressive(ask),      ring_is_faster(ask)};
}

statement grant_bound(const profile& on, int seeds) {
  answers ask(on, seeds);
  evidence made("At most min(T-1, N-1) threads look at one Grant: 9 with 32 threads and 10 locks",
                command(ask, "multiwait --threads 32 --locks hemlock-ctr,hemlock-naive"));
  const int ctr = ask.leader("hemlock-ctr", 32).most_pollers,
            naive = ask.leader("hemlock-naive", 32).most_pollers;
  made.must(std::max(ctr, naive) <= 9);
  made.note("Hemlock {}, Hemlock- {}", ctr, naive);
  if (std::max(ctr, naive) > 9)
    made.note(
        "a leader that holds all ten locks can have a successor on each, and as it unlocks it looks at its "
        "Grant "
        "itself");
  return made.done();
}

statement amd_concurs(const profile& amd, int seeds) {
  answers ask(amd, seeds);
  evidence made(
      "AMD concurs with Intel, at 32 threads: Hemlock ahead of all others, Ticket last at maximum contention",
      command(ask, "mutexbench --threads 32"));
  for (const auto how : {contention::maximum, contention::moderate}) {
    const double ctr = ask.rate("hemlock-ctr", 32, how), naive = ask.rate("hemlock-naive", 32, how);
    const double mcs = ask.rate("mcs", 32, how), clh = ask.rate("clh", 32, how);
    const double ticket = ask.rate("ticket", 32, how);
    made.must(ctr > std::max({mcs, clh, naive, ticket}));
    if (how == contention::maximum) made.must(ticket < std::min({mcs, clh, naive}));
    made.note("{}: Hemlock {:.2f}, MCS {:.2f}, CLH {:.2f}, Hemlock- {:.2f}, Ticket {:.2f} M/s",
              how == contention::maximum ? "maximum" : "moderate", ctr, mcs, clh, naive, ticket);
  }
  return made.done();
}

bool bears_on_statements(const profile& on, parameter which) {
  return on.uses(which) && which != parameter::park && which != parameter::unpark &&
         which != parameter::wake && which != parameter::smt_slowdown;
}

std::vector<sensitivity_row> sensitivity(const profile& on, int seeds, std::size_t most_parameters,
                                         const std::function<bool()>& go_on) {
  std::vector<sensitivity_row> rows;
  const auto ask = [&](const std::string& name, double factor, const profile& changed) {
    sensitivity_row row{
        name, factor, {}, average_mutexbench(changed, contended("hemlock-ctr", 32), seeds).rate / million};
    for (const auto& each : ask_statements(changed, seeds)) row.holds.push_back(each.holds);
    rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < parameter_count; ++i) {
    const auto which = static_cast<parameter>(i);
    if (!bears_on_statements(on, which)) continue;
    if (rows.size() >= 2 * most_parameters) break;
    for (const double factor : {0.7, 1.3}) {
      if (!go_on()) return rows;
      profile changed = on;
      changed.at(which).value *= factor;
      ask(std::string(fact_of(which).name), factor, changed);
    }
  }
  return rows;
}

}  // namespace hemlock::sim
