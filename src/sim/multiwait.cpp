#include "sim/multiwait.hpp"

#include "sim/world.hpp"

namespace hemlock::sim {
namespace {

class bench {
public:
  bench(machine& host, const multiwait& what) : host_(host), what_(what) {
    for (int i = 0; i < what.locks; ++i) locks_.push_back(make_lock(what.lock, what.waiting));
  }

  run_result run() {
    const auto where = host_.placement(what_.threads);
    host_.run_on(where[0], 0, [this] { lead(); });
    for (std::size_t i = 1; i < where.size(); ++i)
      host_.run_on(where[i], static_cast<picoseconds>(i) * from_ns(50), [this, i] { disturb(i); });
    host_.run();
    result_.ended = host_.now();
    return result_;
  }

private:
  void lead() {
    for (int step = 0; step < what_.warm_up_steps; ++step) take_from(0);
    const picoseconds since = host_.now();
    const counters before = host_.counted();
    for (int step = 0; step < what_.leader_steps; ++step) take_from(0);
    result_.steps = static_cast<std::uint64_t>(what_.leader_steps);
    result_.duration = host_.now() - since;
    result_.counted = host_.counted() - before;
    stop_ = true;
  }

  void take_from(std::size_t first) {
    if (first < locks_.size()) locks_[first]->around([&] { take_from(first + 1); });
  }

  void disturb(std::size_t thread) {
    for (std::uint64_t round = 0; !stop_; ++round)
      locks_[mix(host_.options().seed, thread, round) % locks_.size()]->around([] {});
  }

  machine& host_;
  const multiwait& what_;
  std::vector<std::unique_ptr<any_lock>> locks_;
  bool stop_ = false;
  run_result result_;
};

}  // namespace

run_result run(const profile& on, const machine_options& options, const multiwait& what) {
  machine host(on, options);
  return bench(host, what).run();
}

}  // namespace hemlock::sim
