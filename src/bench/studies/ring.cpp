// The paper's "Impact of CTR": a ring of threads passes a token from mailbox to mailbox. Waiting with an atomic
// read-modify-write instead of a load brings the mailbox's line in already writable, so that clearing it needs
// no second trip.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>

#include "bench/studies/figures.hpp"
#include "bench/studies/studies.hpp"
#include "hemlock/platform/cache_line.hpp"
#include "hemlock/world/waiting.hpp"

namespace hemlock::bench {
namespace {

struct mailbox_word {
  std::atomic<std::uint64_t> token{0};
};
using mailbox = padded<mailbox_word>;

// Each look says whether the token was there; afterwards the mailbox is empty. Acquire and release pair with
// the deposit of the neighbour.
struct by_load {
  static constexpr std::string_view name = "load";
  static bool taken(std::atomic<std::uint64_t>& word) noexcept {
    if (word.load(std::memory_order_acquire) == 0) return false;
    word.store(0, std::memory_order_relaxed);
    return true;
  }
};
struct by_cas {
  static constexpr std::string_view name = "cas";
  static bool taken(std::atomic<std::uint64_t>& word) noexcept {
    std::uint64_t full = 1;
    return word.compare_exchange_strong(full, 0, std::memory_order_acquire, std::memory_order_relaxed);
  }
};
struct by_swap {
  static constexpr std::string_view name = "swap";
  static bool taken(std::atomic<std::uint64_t>& word) noexcept {
    return word.exchange(0, std::memory_order_acquire) != 0;
  }
};
struct by_faa {
  static constexpr std::string_view name = "faa";
  static bool taken(std::atomic<std::uint64_t>& word) noexcept {
    if (word.fetch_add(0, std::memory_order_acquire) == 0) return false;
    word.store(0, std::memory_order_relaxed);
    return true;
  }
};

template <class Look, class Wait>
class ring final : public workload {
public:
  explicit ring(int threads)
      : boxes_(std::make_unique<mailbox[]>(static_cast<std::size_t>(threads))),
        count_(static_cast<std::size_t>(threads)) {
    boxes_[0].token.store(1, std::memory_order_relaxed);
  }

  void work(worker& me) override {
    auto& mine = boxes_[static_cast<std::size_t>(me.index)].token;
    auto& next = boxes_[(static_cast<std::size_t>(me.index) + 1) % count_].token;
    repeat(me, [&] {
      waiting::spinner<Wait> wait;
      while (!Look::taken(mine)) {
        // The neighbour may have gone already: nobody would bring the token any more.
        if (me.board.now() == phase::over) return;
        wait.pause();
      }
      next.store(1, std::memory_order_release);
    });
  }

private:
  std::unique_ptr<mailbox[]> boxes_;
  std::size_t count_;
};

struct variant {
  std::string_view look;
  std::string_view wait;
  bool pure_spin;
  std::unique_ptr<workload> (*make)(int threads);
};

template <class Look, class Wait>
constexpr variant variant_of() {
  return {
      Look::name, Wait::name, std::is_same_v<Wait, waiting::spin>,
      [](int threads) -> std::unique_ptr<workload> { return std::make_unique<ring<Look, Wait>>(threads); }};
}

template <class Wait>
constexpr std::array<variant, 4> looks_with() {
  return {variant_of<by_load, Wait>(), variant_of<by_cas, Wait>(), variant_of<by_swap, Wait>(),
          variant_of<by_faa, Wait>()};
}

std::vector<variant> all_variants() {
  std::vector<variant> all;
  for (const auto& some :
       {looks_with<waiting::automatic>(), looks_with<waiting::spin>(), looks_with<waiting::yield>()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::string label_of(const std::string& look, const std::string& wait) {
  return wait == waiting::automatic::name ? look : fmt::format("{}/{}", look, wait);
}

void check(std::string_view what, const std::vector<std::string>& asked,
           const std::vector<std::string>& known) {
  for (const auto& one : asked)
    if (std::find(known.begin(), known.end(), one) == known.end())
      throw std::invalid_argument(
          fmt::format("unknown {} '{}'; known: {}", what, one, fmt::join(known, ", ")));
}

}  // namespace

study ring_study(const setup& how, const std::vector<std::string>& variants,
                 const std::vector<std::string>& waits) {
  check("way of waiting", variants, {"load", "cas", "swap", "faa"});
  check("waiting policy for the ring", waits, {"auto", "spin", "yield"});
  study all;
  all.figures.push_back(
      {.name = "ring: circulation",
       .title = "Ring: how fast a token circulates",
       .shows = "How often per second the token is passed on, by the instruction that looks for "
                "it. With one hand-over at a time this is the reciprocal of its latency.",
       .x = threads_axis(),
       .y = {.name = "hand-overs", .unit = "hand-overs/s", .kind = report::scale::logarithmic},
       .direction = report::better::higher,
       .baseline = label_of(variants.front(), waits.front()),
       .parameters = parameters_of(how, false)});
  std::vector<lane> lanes;
  for (const auto& wait : waits)
    for (const auto& look : variants)
      for (const auto& one : all_variants())
        if (one.look == look && one.wait == wait)
          lanes.push_back({label_of(look, wait), one.pure_spin, one.make});
  add_trials(all, how, lanes, [](const run_result& result) -> metrics { return {result.per_second()}; });
  return all;
}

}  // namespace hemlock::bench
