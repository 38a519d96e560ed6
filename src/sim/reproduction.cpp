#include "sim/reproduction.hpp"

#include <fmt/core.h>

#include <cmath>

namespace hemlock::sim {
namespace {

averages contended(const profile& on, const std::string& lock, int threads, int seeds,
                   contention how = contention::maximum) {
  mutexbench what;
  what.lock = lock;
  what.threads = threads;
  what.how = how;
  what.rounds = 16;
  what.warm_up_rounds = 4;
  return average_mutexbench(on, what, seeds);
}

double leader_rate(const profile& on, const std::string& lock, int threads, int seeds) {
  multiwait what;
  what.lock = lock;
  what.threads = threads;
  what.leader_steps = 25;
  return average_multiwait(on, what, seeds).rate;
}

double circulation(const profile& on, look how, int threads, int seeds) {
  ring what;
  what.how = how;
  what.threads = threads;
  what.laps = 10;
  return average_ring(on, what, seeds).rate;
}

/// Figures of one statement, gathered as they are compared.
class evidence {
public:
  explicit evidence(std::string text) { made_.text = std::move(text), made_.holds = true; }
  void must(bool holds) { made_.holds = made_.holds && holds; }
  template <class... Values>
  void note(fmt::format_string<Values...> format, Values&&... values) {
    if (!made_.figures.empty()) made_.figures += "; ";
    made_.figures += fmt::format(format, std::forward<Values>(values)...);
  }
  [[nodiscard]] statement done() const { return made_; }

private:
  statement made_;
};

constexpr double million = 1e6;

statement maximum_order(const profile& on, int seeds) {
  evidence made(
      "At 32 threads and maximum contention: Hemlock, then CLH and MCS, then Hemlock-, then Ticket");
  const double ctr = contended(on, "hemlock-ctr", 32, seeds).rate,
               naive = contended(on, "hemlock-naive", 32, seeds).rate;
  const double mcs = contended(on, "mcs", 32, seeds).rate, clh = contended(on, "clh", 32, seeds).rate;
  const double ticket = contended(on, "ticket", 32, std::max(1, seeds / 4)).rate;
  made.must(ctr > std::max(mcs, clh) && std::min(mcs, clh) > naive && naive > ticket);
  made.note("Hemlock {:.2f}, MCS {:.2f}, CLH {:.2f}, Hemlock- {:.2f}, Ticket {:.2f} M/s", ctr / million,
            mcs / million, clh / million, naive / million, ticket / million);
  return made.done();
}

statement moderate_queue(const profile& on, int seeds) {
  evidence made("Moderate contention: Hemlock ahead of MCS and CLH from 8 threads on");
  for (const int threads : {8, 16, 32}) {
    const double ctr = contended(on, "hemlock-ctr", threads, seeds, contention::moderate).rate;
    const double mcs = contended(on, "mcs", threads, seeds, contention::moderate).rate;
    const double clh = contended(on, "clh", threads, seeds, contention::moderate).rate;
    made.must(ctr > mcs && ctr > clh);
    made.note("{}: {:.2f} against {:.2f} and {:.2f} M/s", threads, ctr / million, mcs / million,
              clh / million);
  }
  return made.done();
}

statement moderate_ticket(const profile& on, int seeds) {
  evidence made("Moderate contention: Ticket ahead of MCS and CLH at 2 and 4 threads, last at 32");
  for (const int threads : {2, 4, 32}) {
    const double ticket = contended(on, "ticket", threads, seeds, contention::moderate).rate;
    const double mcs = contended(on, "mcs", threads, seeds, contention::moderate).rate;
    const double clh = contended(on, "clh", threads, seeds, contention::moderate).rate;
    made.must(threads < 32 ? ticket > std::max(mcs, clh) : ticket < std::min(mcs, clh));
    made.note("{}: {:.2f} against {:.2f} and {:.2f} M/s", threads, ticket / million, mcs / million,
              clh / million);
  }
  return made.done();
}

statement multiwaiting(const profile& on, int seeds) {
  evidence made(
      "Multi-waiting: MCS and CLH, then Hemlock-, then Hemlock with CTR at 8 to 32 threads (2 % is a tie)");
  for (const int threads : {8, 16, 32}) {
    const double mcs = leader_rate(on, "mcs", threads, seeds), clh = leader_rate(on, "clh", threads, seeds);
    const double naive = leader_rate(on, "hemlock-naive", threads, seeds),
                 ctr = leader_rate(on, "hemlock-ctr", threads, seeds);
    made.must(mcs > naive && clh > 0.98 * naive && naive > ctr);
    made.note("{}: {:.0f}, {:.0f}, {:.0f}, {:.0f} k/s", threads, mcs / 1e3, clh / 1e3, naive / 1e3,
              ctr / 1e3);
  }
  return made.done();
}

statement one_socket(const profile& on, int seeds) {
  evidence made("CTR helps on a single socket as well");
  profile alone = on;
  alone.sockets = 1;
  for (const int threads : {8, 16}) {
    const double ctr = contended(alone, "hemlock-ctr", threads, seeds).rate;
    const double naive = contended(alone, "hemlock-naive", threads, seeds).rate;
    made.must(ctr > naive);
    made.note("{}: {:.2f} against {:.2f} M/s", threads, ctr / million, naive / million);
  }
  return made.done();
}

statement aggressive(const profile& on, int seeds) {
  evidence made("Aggressive hand-over is ahead of Hemlock at 8 to 32 threads");
  for (const int threads : {8, 16, 32}) {
    const double ah = contended(on, "hemlock-ah", threads, seeds).rate;
    const double ctr = contended(on, "hemlock-ctr", threads, seeds).rate;
    made.must(ah > ctr);
    made.note("{}: {:.2f} against {:.2f} M/s", threads, ah / million, ctr / million);
  }
  return made.done();
}

statement ring_is_faster(const profile& on, int seeds) {
  evidence made("The ring circulates faster with CAS, SWAP or fetch-and-add than with loads");
  for (const int threads : {8, 32}) {
    const double load = circulation(on, look::load, threads, seeds);
    const double cas = circulation(on, look::cas, threads, seeds),
                 swap = circulation(on, look::swap, threads, seeds);
    const double faa = circulation(on, look::faa, threads, seeds);
    made.must(std::min({cas, swap, faa}) > load);
    made.note("{}: load {:.2f}, CAS {:.2f}, SWAP {:.2f}, FAA {:.2f} M/s", threads, load / million,
              cas / million, swap / million, faa / million);
  }
  return made.done();
}

statement less_traffic(const profile& on, int seeds) {
  evidence made("CTR does not raise offcore traffic, and avoids upgrades (32 threads)");
  const auto ctr = contended(on, "hemlock-ctr", 32, seeds), naive = contended(on, "hemlock-naive", 32, seeds);
  made.must(ctr.offcore <= naive.offcore && ctr.upgrades < naive.upgrades);
  made.note("{:.2f} against {:.2f} accesses, {:.2f} against {:.2f} upgrades", ctr.offcore, naive.offcore,
            ctr.upgrades, naive.upgrades);
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
    row.full = contended(on, row.lock, 32, seeds);
    row.plain = contended(on.plain(), row.lock, 32, seeds);
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

std::vector<statement> ask_statements(const profile& on, int effort) {
  return {maximum_order(on, effort),
          less_traffic(on, effort),
          moderate_queue(on, effort),
          moderate_ticket(on, std::max(1, effort / 2)),
          multiwaiting(on, std::max(1, effort / 2)),
          one_socket(on, effort),
          aggressive(on, effort),
          ring_is_faster(on, std::max(1, effort / 2))};
}

std::vector<sensitivity_row> sensitivity(const profile& on, int effort, const std::function<bool()>& go_on) {
  std::vector<sensitivity_row> rows;
  const auto ask = [&](const std::string& name, double factor, const profile& changed) {
    sensitivity_row row{name, factor, {}, contended(changed, "hemlock-ctr", 32, effort).rate / million};
    for (const auto& each : ask_statements(changed, effort)) row.holds.push_back(each.holds);
    rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < parameter_count; ++i) {
    const auto which = static_cast<parameter>(i);
    if (which == parameter::park || which == parameter::unpark || which == parameter::wake ||
        which == parameter::smt_slowdown)
      continue;  // nobody parks, and no two threads share a core, in these statements
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
