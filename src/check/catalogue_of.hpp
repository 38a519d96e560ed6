// Builds the cases of one World.
#pragma once

#include "check/catalogue.hpp"
#include "check/scenarios.hpp"
#include "check/world.hpp"
#include "hemlock/registry.hpp"

namespace hemlock::check {

/// A scenario as a program: it lives in the engine's shared memory.
template <class Scenario>
class program_of final : public program {
public:
  explicit program_of(const shape& how) : how_(how) {}
  [[nodiscard]] unsigned threads() const override { return how_.threads; }
  void make() override {
    void* const place = host::current()->allocate(sizeof(Scenario), alignof(Scenario));
    scenario_ = new (place) Scenario(how_);
  }
  void run(unsigned thread) override { scenario_->run(thread); }
  [[nodiscard]] int kind(unsigned thread) const override {
    if constexpr (requires { Scenario::kind(how_, thread); })
      return Scenario::kind(how_, thread);
    else
      return static_cast<int>(thread);
  }
  std::string finish() override { return scenario_->finish(); }

private:
  shape how_;
  Scenario* scenario_ = nullptr;  // never destroyed: an abandoned fiber may still point to it
};

/// Adds cases that differ in scenario and size only.
class case_adder {
public:
  case_adder(std::string lock, std::string waiting, std::vector<check_case>& all) : all_(all) {
    base.lock = std::move(lock);
    base.waiting = std::move(waiting);
  }

  template <class Scenario>
  void family(const char* scenario, std::initializer_list<shape> quick, std::initializer_list<shape> full) {
    for (const auto& each : quick) add<Scenario>(scenario, each, false);
    for (const auto& each : full) add<Scenario>(scenario, each, true);
  }

  check_case base;

private:
  template <class Scenario>
  void add(const char* scenario, const shape& how, bool full_only) {
    check_case made = base;
    made.scenario = scenario;
    made.size = how.text();
    made.threads = how.threads;
    made.full_only = full_only;
    made.how.spurious = how.threads == 2 ? spurious_with_two_threads : spurious_with_more;
    made.make = [how]() -> std::unique_ptr<program> { return std::make_unique<program_of<Scenario>>(how); };
    all_.push_back(std::move(made));
  }

  std::vector<check_case>& all_;
};

template <class Lock>
class case_builder : case_adder {
public:
  case_builder(std::string waiting, std::vector<check_case>& all)
      : case_adder(std::string(Lock::traits.name), std::move(waiting), all) {
    if (Lock::traits.fifo) base.how.doorstep = Lock::traits.doorstep;
    base.how.claim = Lock::traits.local_spinning                ? spinning::local
                     : Lock::traits.name.starts_with("hemlock") ? spinning::fere_local
                                                                : spinning::anywhere;
    base.how.forgets = Lock::traits.name != "mutex" && Lock::traits.name != "fifo";
  }

  void build() {
    family<one_lock<Lock>>("one-lock", {{1, 1}, {2, 2}, {1, 1, 1}, {2, 1, 1}},
                           {{2, 2, 2}, {1, 1, 1, 1}, {2, 1, 1, 1}});
    family<one_lock<Lock>>("thread-end", {{1, 2}}, {{1, 2, 2}});
    family<nested<Lock>>("nested", {{1, 1}, {1, 1, 1}}, {{2, 2}});
    family<hand_over_hand<Lock>>("hand-over-hand", {{1, 1}}, {{2, 1}, {1, 1, 1}});
    family<multi_waiting<Lock, true>>("multi-waiting", {{1, 1, 1}}, {{2, 1, 1}, {1, 1, 1, 1}});
    family<multi_waiting<Lock, false>>("multi-waiting-reversed", {{1, 1, 1}}, {{2, 1, 1}});
    family<holder_waits<Lock>>("holder-waits", {{1, 1, 1}}, {{1, 1, 1, 1}});
    if constexpr (has_try_lock<Lock>)
      family<try_lock_races<Lock>>("try-lock", {{2, 2}, {2, 0, 1}, {2, 1, 1}}, {{2, 2, 1}});
    if constexpr (requires(Lock & one) { one.try_acquire_until(typename Lock::world_type::deadline{}); })
      family<timed_waits<Lock>>("timed", {{1, 1}, {1, 2}, {1, 1, 1}}, {{2, 2}, {2, 1, 1}});
    base.expected_to_fail = !Lock::traits.prompt_destruction_safe;
    family<destroyed_by_last<Lock>>("destroy", {{1, 1}, {1, 1, 1}}, {});
    base.expected_to_fail = false;
    if constexpr (Lock::traits.serially_reusable || Lock::traits.name == "hemlock-ctr") {
      base.expected_to_fail = !Lock::traits.serially_reusable;
      family<signal_handler<Lock>>("signal", {{1, 1, 1}}, {{2, 1, 1}});
    }
  }
};

void add_spinning_cases(std::vector<check_case>& all);
void add_parking_cases(std::vector<check_case>& all);
void add_condition_cases(std::vector<check_case>& all);

}  // namespace hemlock::check
