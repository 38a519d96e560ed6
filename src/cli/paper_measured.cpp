// The parts of `hemlock paper` that were measured: results of `hemlock bench`, given by --measured.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cli/paper_parts.hpp"
#include "report/statistics.hpp"
#include "report/table.hpp"

namespace hemlock::cli {
namespace {

/// The first measured experiment whose name begins so, and where it was measured.
struct found {
  const report::experiment* one = nullptr;
  const report::results* in = nullptr;
};

found find_measured(const paper& made, std::string_view name) {
  for (const auto& each : made.measured)
    for (const auto& one : each.experiments)
      if (one.name.starts_with(name)) return {&one, &each};
  return {};
}

double median_at(const report::experiment& one, std::string_view lock, double x) {
  const auto* line = one.find(lock);
  const auto* at = line != nullptr ? line->find(x) : nullptr;
  return at != nullptr && !at->samples.empty() ? report::median(at->samples) : 0;
}

void latency_claim(paper& made) {
  claim one{
      "At 1 thread Ticket is fastest, then Hemlock, CLH and MCS", cannot_be_told, "-",
      "the model has no pipelines, so its 1-thread order is not validated; not measured in this document",
      "`hemlock bench latency --locks paper --wait spin`"};
  if (const auto [seen, in] = find_measured(made, "latency"); seen != nullptr) {
    const auto ns = [&, figure = seen](std::string_view lock) { return 1e9 * median_at(*figure, lock, 1); };
    const auto of = [&](std::string_view lock) {
      return ns(lock) > 0 ? ns(lock) : ns(std::string(lock) + "/spin");
    };
    const double ticket = of("ticket"), ctr = of("hemlock-ctr"), clh = of("clh"), mcs = of("mcs");
    if (ticket > 0 && ctr > 0 && clh > 0 && mcs > 0) {
      one.verdict = ticket < ctr && ctr < clh && clh < mcs ? "confirmed" : "**not confirmed**";
      one.how = "measured";
      one.seen =
          fmt::format("Ticket {:.1f}, Hemlock {:.1f}, CLH {:.1f}, MCS {:.1f} ns for lock and unlock, on {}",
                      ticket, ctr, clh, mcs, in->where.cpu);
    }
  }
  made.claims.push_back(std::move(one));
}

void leveldb_claims(paper& made) {
  claim one{"LevelDB readrandom: Ticket slightly ahead at few threads, then fades", cannot_be_told, "-",
            "not measured in this document", "`hemlock bench leveldb`"};
  if (const auto [seen, in] = find_measured(made, "leveldb readrandom: throughput"); seen != nullptr) {
    one.how = "measured";
    one.seen =
        fmt::format("{} CPUs cannot show 64 threads that all run; what they show is in the LevelDB table",
                    in->where.cpu_budget);
  }
  made.claims.push_back(std::move(one));
  claim waiting{"In LevelDB at most one thread waits on any Grant, and no thread holds more than two locks",
                cannot_be_told, "-", "not recorded for this document",
                "`hemlock profile -- db_bench --benchmarks=readrandom --threads=64`"};
  if (!made.profile.is_null()) {
    const auto& seen = made.profile;
    const auto grants = seen.at("most_waiting_on_one_grant").get<int>(),
               held = seen.at("most_locks_held").get<int>();
    waiting.verdict = grants <= 1 && held <= 2 ? "confirmed" : "**not confirmed**";
    waiting.how = "measured";
    waiting.seen = fmt::format(
        "{} threads on {} CPUs, {} acquisitions: at most {} waited directly behind one thread, at most {} "
        "locks held, {} "
        "calls with a lock held",
        seen.at("threads").get<int>(), seen.at("cpus").get<int>(),
        seen.at("acquisitions").get<std::uint64_t>(), grants, held,
        seen.at("nested_calls").get<std::uint64_t>());
  }
  made.claims.push_back(std::move(waiting));
}

}  // namespace

void add_medians(paper_text& text, const report::experiment& one) {
  std::set<double> places;
  for (const auto& line : one.series)
    for (const auto& at : line.points) places.insert(at.x);
  std::vector<paper_text::cells> rows{{one.x.name}};
  for (const auto& line : one.series) rows[0].push_back(line.name);
  for (const double x : places) {
    paper_text::cells row{one.has_labels() ? one.x.labels[static_cast<std::size_t>(x)]
                                           : fmt::format("{:g}", x)};
    for (const auto& line : one.series) {
      const auto* at = line.find(x);
      row.push_back(at == nullptr         ? ""
                    : at->samples.empty() ? "-"
                                          : report::short_quantity(report::median(at->samples), one.y.unit) +
                                                (at->marks.empty() ? "" : " †"));
    }
    rows.push_back(std::move(row));
  }
  text.table(std::move(rows));
}

void add_measured(paper& made) {
  made.text.heading(2, "Measured");
  if (made.measured.empty()) {
    made.text.paragraph(
        "Nothing: this document was made without measurements. `make paper` measures LevelDB, MutexBench, "
        "multi-waiting, the ring and uncontended latency first; `hemlock paper --measured FILE` takes "
        "results of "
        "`hemlock bench --json FILE`.");
    return;
  }
  made.text.paragraph(
      "The paper's LevelDB figure, and its other benchmarks once more, on the machine at hand. It is not "
      "like the "
      "paper's: where threads outnumber its CPUs, a row tells how a lock lives with the scheduler, not with "
      "the caches. "
      "Medians.");
  for (const auto& each : made.measured) {
    for (const auto& one : each.experiments) {
      if (one.y.name == "CPU time") continue;  // in the page, not in the text
      made.text.heading(3, one.title);
      made.text.paragraph(fmt::format("`{}` on {}, {} CPUs; {}.", each.command, each.where.cpu,
                                      each.where.cpu_budget, one.y.unit.empty() ? one.y.name : one.y.unit));
      add_medians(made.text, one);
      const bool marked = std::any_of(one.series.begin(), one.series.end(), [](const auto& line) {
        return std::any_of(line.points.begin(), line.points.end(),
                           [](const auto& at) { return !at.marks.empty(); });
      });
      if (marked) made.text.paragraph("† pure spinning with more threads than CPUs.");
    }
    for (auto one : each.experiments) {
      one.title = "Measured: " + one.title;
      made.all.experiments.push_back(std::move(one));
    }
  }
}

void add_measured_claims(paper& made) {
  latency_claim(made);
  leveldb_claims(made);
  made.claims.push_back({"prefetchw instead of CAS brings nothing", cannot_be_told, "-",
                         "not modelled, and no lock of ours "
                         "does it",
                         "-"});
}

}  // namespace hemlock::cli
