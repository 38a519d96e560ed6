// A lock that takes part in a benchmark: what it is called, what it promises, and the code of every workload
// with this lock inlined into it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/sections.hpp"
#include "bench/workload.hpp"
#include "hemlock/locks/lock_traits.hpp"

namespace benchmark {
class State;
}

namespace hemlock::bench {

/// The waiting policy of a lock that has its own way and takes no advice.
inline constexpr std::string_view own_way = "own";

struct contender {
  std::string name;  ///< as users type it
  std::string wait;  ///< the waiting policy, or own_way
  lock_facts facts;
  bool peer = false;       ///< somebody else's lock
  bool variant = false;    ///< one of ours with another setting than it ships with
  bool pure_spin = false;  ///< never gives the CPU away while it waits

  std::unique_ptr<workload> (*mutexbench)(const sections&);
  std::unique_ptr<workload> (*fairness)(const sections&);
  std::unique_ptr<workload> (*multiwait)();
  std::unique_ptr<workload> (*space)(std::size_t buckets);
  void (*latency)(benchmark::State&);  ///< uncontended; the body of a Google Benchmark
};

/// Every lock of the registry with one policy; those that lack it are not there.
std::vector<contender> spinning_contenders();
std::vector<contender> yielding_contenders();
std::vector<contender> parking_contenders();
std::vector<contender> automatic_contenders();
/// hemlock::mutex with other bounds on overtaking: "mutex@30us".
std::vector<contender> bounded_contenders();
/// Other people's locks, as far as their libraries were there when this was built.
std::vector<contender> peer_contenders();

}  // namespace hemlock::bench
