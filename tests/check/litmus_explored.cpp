#include <array>

#include "check/explorer.hpp"
#include "check/litmus.hpp"
#include "check/world.hpp"

namespace litmus {
namespace {

using world = hemlock::check::checked<false>;

class runnable final : public hemlock::check::program {
public:
  explicit runnable(const litmus::program& what) : what_(what) {}
  [[nodiscard]] unsigned threads() const override { return static_cast<unsigned>(what_.size()); }
  void make() override { shared_ = world::create<shared>(); }

  void run(unsigned thread) override {
    std::size_t reg = 0;
    for (const auto& each : what_[thread]) {
      const hemlock::labelled_order order{each.order, "litmus"};
      auto& word = shared_->word[static_cast<std::size_t>(each.word)];
      switch (each.kind) {
        case instruction::load:
          shared_->seen[thread][reg++] = word.load(order);
          break;
        case instruction::store:
          word.store(each.value, order);
          break;
        case instruction::exchange:
          shared_->seen[thread][reg++] = word.exchange(each.value, order);
          break;
        case instruction::add:
          shared_->seen[thread][reg++] = word.fetch_add(each.value, order);
          break;
        case instruction::fence:
          world::fence(order);
          break;
      }
    }
  }

  std::string finish() override {
    std::string text;
    for (std::size_t thread = 0; thread < what_.size(); ++thread) {
      std::size_t reg = 0;
      for (const auto& each : what_[thread])
        if (each.reads()) text += std::to_string(static_cast<int>(shared_->seen[thread][reg++]));
    }
    text += "|";
    for (const auto& each : shared_->word)
      text += std::to_string(each.load({std::memory_order_relaxed, "end"}));
    hemlock::check::host::current()->tell(text);
    return "";
  }

private:
  struct shared {
    std::array<world::atomic<int>, words> word;
    std::array<std::array<world::plain<int>, 4>, 4> seen;
  };
  const litmus::program& what_;
  shared* shared_ = nullptr;
};

}  // namespace

outcomes explored(const program& what, bool reduced) {
  runnable runs(what);
  hemlock::check::settings how;
  how.reduces = how.remembers = reduced;
  const auto result = hemlock::check::explore(runs, how);
  if (result.wrong) return {"violation: " + result.wrong.text};
  return result.outcomes;
}

bool has(const outcomes& all, const std::string& reads) {
  for (const auto& each : all)
    if (each.substr(0, each.find('|')) == reads) return true;
  return false;
}

std::string to_string(const program& what) {
  static constexpr const char* orders[] = {"rlx", "con", "acq", "rel", "ar", "sc"};
  static constexpr const char* kinds[] = {"R", "W", "SWAP", "FAA", "F"};
  std::string text;
  for (const auto& thread : what) {
    text += "{";
    for (const auto& each : thread) {
      text += std::string(" ") + kinds[each.kind] + "." + orders[static_cast<int>(each.order)];
      if (each.kind != instruction::fence) text += std::string(1, "xyz"[each.word]);
      if (each.writes()) text += std::to_string(each.value);
    }
    text += " } ";
  }
  return text;
}

}  // namespace litmus
