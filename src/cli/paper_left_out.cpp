// The parts of `hemlock paper` that the paper does not have: its variants side by side, our mutexes, the machines.
#include <fmt/core.h>

#include <algorithm>

#include "cli/paper_parts.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native.hpp"
#include "sim/study.hpp"

namespace hemlock::cli {
namespace {

struct contestant {
  const char* lock;
  sim::wait_style waiting = sim::wait_style::spin;
  const char* what;
};

const std::vector<contestant>& contestants() {
  using enum sim::wait_style;
  static const std::vector<contestant> all{{"hemlock-ctr", spin, "Listing 2, Hemlock as in the figures"},
                                           {"hemlock-naive", spin, "Listing 1"},
                                           {"hemlock-overlap", spin, "Overlap"},
                                           {"hemlock-ah", spin, "Aggressive hand-over"},
                                           {"hemlock-marked", spin, "Optimised hand-over 1"},
                                           {"hemlock-hinted", spin, "Optimised hand-over 2"},
                                           {"hemlock-polite", spin, "Optimised hand-over 3"},
                                           {"hemlock-stack", spin, "Grant on the stack"},
                                           {"hemlock-table", spin, "a table of Grants"},
                                           {"hemlock-chain", spin, "chain of waiting elements"},
                                           {"hemlock-chain", park, "the same, parking"},
                                           {"hemlock-futex", park, "WaitOnAddress on Grant"},
                                           {"mcs", park, "MCS, parking"},
                                           {"mutex", spin, "hemlock::mutex, spinning"},
                                           {"mutex", park, "hemlock::mutex, as it ships"},
                                           {"fifo", spin, "hemlock::fifo_mutex, spinning"},
                                           {"fifo", park, "hemlock::fifo_mutex, as it ships"}};
  return all;
}

struct scores {
  sim::averages maximum;
  sim::averages moderate;
  sim::averages leader;
};

}  // namespace

void add_space(paper& made) {
  made.text.heading(2, "Space");
  made.text.paragraph(
      "In words, computed by the compiler from the types that ship (`hemlock list`); E is a queue element. "
      "The paper's "
      "table in brackets. A CLH lock carries an element even when it is free, which the paper writes as 2+E. "
      "Ours pads "
      "elements and records to 128 bytes, which words do not show.");
  std::vector<paper_text::cells> rows{{"lock", "lock", "held", "wait", "thread", "init"}};
  report::experiment chart{.name = "space table",
                           .title = "Space: words per lock body, and per thread",
                           .shows = "Computed from the types that ship.",
                           .x = {.name = "lock", .unit = ""},
                           .y = {.name = "words", .unit = ""},
                           .direction = report::better::neither,
                           .exact = true};
  struct printed {
    const char *lock, *body, *held, *wait, *thread, *init;
  };
  static constexpr printed table[] = {{"mcs", "2", "E", "E", "0", "no"},
                                      {"clh", "2+E", "0", "E", "0", "yes"},
                                      {"ticket", "2", "0", "0", "0", "no"},
                                      {"hemlock-ctr", "1", "0", "0", "1", "no"},
                                      {"hemlock-naive", "1", "0", "0", "1", "no"}};
  bool same = true;
  for (const auto& theirs : table)
    for_each_lock<native<waiting::spin>>([&]<class Lock>() {
      constexpr auto facts = facts_of<Lock>();
      if (facts.name != theirs.lock) return;
      const auto cell = [&](const std::string& ours, const char* paper) {
        same = same && ours == paper;
        return fmt::format("{} ({})", ours, paper);
      };
      rows.push_back({theirs.lock,
                      cell(fmt::format("{}{}", facts.bytes_per_lock / sizeof(void*),
                                       facts.bytes_per_free_lock > 0 ? "+E" : ""),
                           theirs.body),
                      cell(facts.bytes_per_held_lock > 0 ? "E" : "0", theirs.held),
                      cell(facts.bytes_per_waiter > 0 ? "E" : "0", theirs.wait),
                      cell(std::to_string(facts.words_per_thread), theirs.thread),
                      cell(facts.trivially_destructible ? "no" : "yes", theirs.init)});
      const auto place = static_cast<double>(chart.x.labels.size());
      chart.x.labels.emplace_back(theirs.lock);
      chart.in("lock body").at(place).samples = {static_cast<double>(facts.bytes_per_lock) / sizeof(void*)};
      chart.in("thread").at(place).samples = {static_cast<double>(facts.words_per_thread)};
    });
  made.text.table(std::move(rows));
  made.all.experiments.push_back(std::move(chart));
  made.claims.push_back(
      {"Space: Hemlock needs one word per lock and one per thread, and no element; MCS, CLH and Ticket "
       "as in the paper's table",
       same ? "confirmed" : "**not confirmed**", "computed", "the Space table above", "`hemlock list`"});
}

void add_left_out(paper& made) {
  made.text.heading(2, "What the paper left out");
  made.text.paragraph(
      fmt::format("The variants of its appendices and our own mutexes beside Hemlock: simulated, 32 threads, "
                  "`intel-x5-2`, {} seeds. "
                  "*Leader* is multi-waiting's throughput, *waiters* the most threads that looked at one "
                  "word there. `hemlock sim "
                  "mutexbench --threads 32 --locks all` (`--contention moderate`, `--wait park`), `hemlock "
                  "sim multiwait --threads 32 "
                  "--locks all`.",
                  made.size.variant_seeds));
  const auto intel = sim::find_profile("intel-x5-2");
  std::vector<paper_text::cells> table{{"lock", "what", "maximum, M/s", "moderate, M/s", "offcore at maximum",
                                        "hand-over, ns", "leader, k/s", "waiters"}};
  std::vector<std::pair<std::string, scores>> seen;
  for (const auto& each : contestants()) {
    const bool parks = each.waiting == sim::wait_style::park;
    const std::string name = each.lock + std::string(parks ? "/park" : "");
    made.begin("left out: " + name);
    sim::mutexbench what;
    what.lock = each.lock;
    what.threads = 32;
    what.rounds = 12;
    what.waiting = each.waiting;
    scores got;
    got.maximum = average_mutexbench(intel, what, made.size.variant_seeds);
    what.how = sim::contention::moderate;
    got.moderate = average_mutexbench(intel, what, made.size.variant_seeds);
    sim::multiwait several;
    several.lock = each.lock;
    several.threads = 32;
    several.leader_steps = 25;
    several.waiting = each.waiting;
    got.leader = average_multiwait(intel, several, made.size.variant_seeds);
    table.push_back({name, each.what, fmt::format("{:.2f}", got.maximum.rate / 1e6),
                     fmt::format("{:.2f}", got.moderate.rate / 1e6),
                     fmt::format("{:.1f}", got.maximum.offcore),
                     fmt::format("{:.0f}", got.maximum.handover_ns),
                     fmt::format("{:.0f}", got.leader.rate / 1e3), std::to_string(got.leader.most_pollers)});
    seen.emplace_back(name, got);
  }
  made.text.table(std::move(table));
  made.text.paragraph(
      "`mutex` lets a running thread take a free lock past those who wait, for about a tenth of a "
      "millisecond, "
      "so one "
      "thread makes many acquisitions in a row and few cross between caches; it is measured over at least 2 "
      "ms. `fifo` "
      "keeps its queue as a ring of records that the holder edits at each hand-over: about ten transfers one "
      "after "
      "another, each of which blocks in this model, where Hemlock makes two; with a store buffer some would "
      "overlap. "
      "Parking is modelled as three fixed times (sleep 1 µs, wake 0.8 µs, until the woken one runs 4 µs; "
      "hypotheses), "
      "after 200 looks: on this machine, with a CPU for each thread, spinning is the better way to wait, and "
      "the "
      "parking rows show what it costs to be prepared for fewer CPUs.");

  const auto score = [&](const std::string& name) -> const scores& {
    return std::find_if(seen.begin(), seen.end(), [&](const auto& each) { return each.first == name; })
        ->second;
  };
  const auto& ah = score("hemlock-ah");
  double best_other = 0;
  for (const auto& [name, got] : seen)
    if (name.starts_with("hemlock-") && name != "hemlock-ah")
      best_other = std::max(best_other, got.maximum.rate);
  made.claims.push_back(
      {"AH is the fastest of the Hemlock family (maximum contention, 32 threads)",
       ah.maximum.rate > best_other ? "confirmed" : "**not confirmed**", "simulated",
       fmt::format("AH {:.2f}, the best other {:.2f} M/s", ah.maximum.rate / 1e6, best_other / 1e6),
       "`hemlock sim mutexbench --threads 32 --locks all`"});
  const double marked = score("hemlock-marked").maximum.rate, hinted = score("hemlock-hinted").maximum.rate,
               polite = score("hemlock-polite").maximum.rate;
  const double near = 0.95 * ah.maximum.rate;
  made.claims.push_back(
      {"The optimised hand-overs 1 to 3 are as fast as AH under contention (5 % is a tie)",
       marked > near && hinted > near && polite > near ? "confirmed" : "**not confirmed**", "simulated",
       fmt::format(
           "AH {:.2f}, 1: {:.2f}, 2: {:.2f}, 3: {:.2f} M/s: the mark and the hint put a further line, or a "
           "further transfer, on the way",
           ah.maximum.rate / 1e6, marked / 1e6, hinted / 1e6, polite / 1e6),
       "`hemlock sim mutexbench --threads 32 --locks "
       "hemlock-ah,hemlock-marked,hemlock-hinted,hemlock-polite`"});
  const int with_table = score("hemlock-table").leader.most_pollers;
  const int on_stack = score("hemlock-stack").leader.most_pollers;
  const int plain = score("hemlock-ctr").leader.most_pollers;
  made.claims.push_back(
      {"A Grant on the stack, or a table of Grants, mitigates multi-waiting",
       with_table < plain && on_stack < plain ? "confirmed" : "**not confirmed**", "simulated",
       fmt::format("most waiters on a word: Hemlock {}, table {}, stack {}", plain, with_table, on_stack),
       "`hemlock sim multiwait --threads 32 --locks hemlock-ctr,hemlock-table,hemlock-stack`"});
}

void add_machines(paper& made) {
  made.text.heading(2, "The simulated machines");
  made.text.paragraph(
      "Every number with where it comes from: L literature, F fitted, H hypothesis. `hemlock sim machines` "
      "has the "
      "sources. Times in ns.");
  std::vector<paper_text::cells> table{{"parameter"}};
  for (const auto& each : sim::built_in_profiles()) table[0].push_back(each.name);
  for (std::size_t i = 0; i < sim::parameter_count; ++i) {
    const auto which = static_cast<sim::parameter>(i);
    paper_text::cells row{std::string(fact_of(which).name)};
    for (const auto& each : sim::built_in_profiles())
      row.push_back(each.uses(which) ? fmt::format("{:g} {}", each[which],
                                                   each.at(which).from == sim::provenance::literature ? 'L'
                                                   : each.at(which).from == sim::provenance::fitted   ? 'F'
                                                                                                      : 'H')
                                     : "");
    table.push_back(std::move(row));
  }
  made.text.table(std::move(table));
}

}  // namespace hemlock::cli
