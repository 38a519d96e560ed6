#include "sim/mutexbench.hpp"

#include "sim/world.hpp"

namespace hemlock::sim {
namespace {

/// std::mt19937 as libstdc++ lays it out: 624 words, then the index of the next one.
class shared_generator {
public:
  static constexpr int words = 624;

  void step(machine& host, picoseconds cost) {
    std::uint64_t next = next_;
    if (next == words) {
      for (int i = 0; i < words; i += 8) {  // the twist: each line is read and written
        state_[i] = state_[i] + 1;
        host.compute(8 * cost);
      }
      next = 0;
    }
    (void)static_cast<std::uint64_t>(state_[next]);
    next_ = next + 1;
    host.compute(cost);
  }

private:
  plain<std::uint64_t> state_[words];
  plain<std::uint64_t> next_ = words;
};

class bench {
public:
  bench(machine& host, const mutexbench& what, trace* into)
      : host_(host),
        what_(what),
        trace_(into),
        lock_(make_lock(what.lock, what.waiting)),
        between_arrivals_(from_ns(4 * host.shape()[parameter::own_cross] + 10)),
        step_(from_ns(host.shape()[parameter::prng_step])) {
    generator_ = new (host.memory().allocate(sizeof(shared_generator))) shared_generator;
    const auto threads = static_cast<std::uint64_t>(what.threads);
    begin_ = threads * (1 + static_cast<std::uint64_t>(what.warm_up_rounds));
    end_ = begin_ + threads * static_cast<std::uint64_t>(what.rounds);
    lasts_at_least_ = is_fifo(what.lock) ? 0 : what.lasts_at_least;
  }

  run_result run() {
    const auto where = host_.placement(what_.threads);
    std::vector<int> arrival(where.size());
    for (std::size_t i = 0; i < where.size(); ++i) arrival[i] = static_cast<int>(i);
    shuffle(arrival, mix(host_.options().seed, 0x61727269));
    for (std::size_t i = 0; i < where.size(); ++i)
      host_.run_on(where[i], static_cast<picoseconds>(i) * between_arrivals_,
                   [this, i, rank = arrival[i]] { program(static_cast<int>(i), rank); });
    host_.run();
    result_.ended = host_.now();
    result_.acquisitions = acquisitions_;
    if (result_.handovers > 0) result_.handover_ns = to_ns(waited_) / static_cast<double>(result_.handovers);
    return result_;
  }

private:
  void program(int thread, int rank) {
    lock_->around([&] { acquired(host_.now()); });  // alone: makes this thread's record and nodes
    // Then all arrive one after another behind the first, who holds the lock until the queue has formed: with
    // empty sections and a simultaneous start, one thread could keep taking the lock and no queue ever form.
    const picoseconds all_known = (what_.threads + 1) * between_arrivals_;
    host_.compute_until(all_known + rank * between_arrivals_);
    bool first = rank == 0 && what_.threads > 1 && what_.how == contention::maximum;
    for (std::uint64_t round = 0; !stop_; ++round) {
      const picoseconds arrives = host_.now();
      lock_->around([&] {
        acquired(arrives);
        if (first) host_.compute_until(all_known + (what_.threads + 1) * between_arrivals_);
        first = false;
        section();
        released_ = host_.now();
        if (trace_ != nullptr) follow_hand_over();
      });
      if (what_.how == contention::moderate)
        host_.compute(static_cast<picoseconds>(
                          mix(host_.options().seed, static_cast<std::uint64_t>(thread) + 1, round) % 400) *
                      step_);
    }
  }

  /// The first hand-over to another that is measured: from before the unlock until the next one is inside.
  void follow_hand_over() {
    if (trace_->operations_only || acquisitions_ <= begin_ || trace_->acquired_at != 0) return;
    trace_->entries.clear();  // of an unlock after which the same thread was the next
    trace_->cache_of.clear();
    trace_->from_cpu = host_.self().number;
    trace_->unlocks_at = host_.now();
    for (const cpu& each : host_.cpus()) trace_->cache_of.push_back(each.cache);
    host_.trace_to(trace_);
  }

  void end_trace() {
    if (trace_->cache_of.empty() || !trace_->names.empty()) return;
    if (trace_->acquired_at != 0) {  // the one after: by now the first has its answer
      trace_->names = host_.line_names();
      host_.trace_to(nullptr);
    } else if (trace_->from_cpu != host_.self().number) {
      trace_->to_cpu = host_.self().number;
      trace_->acquired_at = host_.now();
    }
  }

  void section() {
    if (what_.section > 0) host_.compute(what_.section);
    if (what_.how == contention::moderate)
      for (int i = 0; i < 5; ++i) generator_->step(host_, step_);
  }

  void acquired(picoseconds arrived) {
    ++acquisitions_;
    if (trace_ != nullptr && !trace_->operations_only) end_trace();
    if (acquisitions_ > begin_ && result_.steps == 0 && arrived < released_) {
      waited_ += host_.now() - released_;
      ++result_.handovers;
    }
    if (acquisitions_ == begin_) {
      since_ = host_.now();
      before_ = host_.counted();
    }
    if (acquisitions_ >= end_ && result_.steps == 0 && host_.now() - since_ >= lasts_at_least_) {
      result_.steps = acquisitions_ - begin_;
      result_.duration = host_.now() - since_;
      result_.counted = host_.counted() - before_;
      stop_ = true;
    }
  }

  machine& host_;
  const mutexbench& what_;
  trace* trace_;
  std::unique_ptr<any_lock> lock_;
  shared_generator* generator_;
  picoseconds between_arrivals_;  ///< enough for one to have joined the queue before the next comes
  picoseconds step_;
  std::uint64_t begin_;
  std::uint64_t end_;
  picoseconds lasts_at_least_;
  std::uint64_t acquisitions_ = 0;
  bool stop_ = false;
  picoseconds since_ = 0;
  picoseconds released_ = 0;
  picoseconds waited_ = 0;
  counters before_;
  run_result result_;
};

}  // namespace

run_result run(const profile& on, const machine_options& options, const mutexbench& what) {
  machine host(on, options);
  return bench(host, what, nullptr).run();
}

run_result run(const profile& on, const machine_options& options, const mutexbench& what, trace& into) {
  machine host(on, options);
  if (into.operations_only) host.trace_to(&into);
  return bench(host, what, &into).run();
}

}  // namespace hemlock::sim
