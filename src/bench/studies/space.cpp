#include <fmt/core.h>

#include <stdexcept>

#include "bench/catalogue.hpp"
#include "bench/resident_memory.hpp"
#include "bench/studies/figures.hpp"
#include "bench/studies/studies.hpp"

namespace hemlock::bench {
namespace {

/// An allocation's own overhead and rounding, and the bucket's value.
constexpr std::size_t slack_per_bucket = 32;

/// Said beforehand, since the kernel's way of saying it is to kill.
void require_room(const contender& lock, std::size_t buckets) {
  const std::size_t room = available_bytes();
  const std::size_t needed =
      buckets * (lock.facts.bytes_per_lock + lock.facts.bytes_per_free_lock + slack_per_bucket);
  if (room > 0 && needed > room)
    throw std::runtime_error(
        fmt::format("needs about {} MB, {} MB are available (--buckets)", needed >> 20, room >> 20));
}

}  // namespace

study space_study(const setup& how, std::size_t buckets) {
  auto parameters = parameters_of(how, false);
  parameters.insert(parameters.begin(), {"buckets", std::to_string(buckets)});
  study all;
  all.figures.push_back(
      {.name = "space: bytes per bucket",
       .title = "A table with a lock per bucket: memory",
       .shows = "Memory in use per bucket, each holding a lock and a number of 8 bytes. Measured, "
                "after every lock was taken once, so hidden allocations are in it.",
       .x = threads_axis(),
       .y = {.name = "memory", .unit = "B"},
       .direction = report::better::lower,
       .parameters = parameters});
  all.figures.push_back({.name = "space: throughput",
                         .title = "A table with a lock per bucket: throughput",
                         .shows =
                             "How many random buckets are updated per second: small locks leave more of the "
                             "cache to the data.",
                         .x = threads_axis(),
                         .y = {.name = "throughput", .unit = "updates/s"},
                         .direction = report::better::higher,
                         .parameters = parameters});
  const auto make = [buckets](const contender& lock) {
    require_room(lock, buckets);
    return lock.space(buckets);
  };
  add_trials(all, how, lanes_of(how, make), [](const run_result& result) -> metrics {
    return {result.findings.at(0).second, result.per_second()};
  });
  return all;
}

}  // namespace hemlock::bench
