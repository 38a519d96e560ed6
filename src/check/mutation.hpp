// Changes to a lock, named by the labels of its operations, that leave its source as it is.
//
// A mutation is how we ask "and if this were not so?" of the shipped template itself: weaken the order of the
// operations with a label, drop a store, answer a look with a fixed value so that the wait behind it is
// skipped, or take a read-modify-write apart.
#pragma once

#include <atomic>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace hemlock::check {

struct mutation {
  enum kind_type : std::uint8_t {
    order,      ///< operations with this label have `to` as their order
    answer,     ///< loads and fetch-and-adds do nothing and return `value`
    drop,       ///< stores are not made
    split,      ///< an exchange becomes a load and a store
    lock_flag,  ///< any non-zero value read stands for the lock being acquired: a flag, not an address
  };
  std::string label;
  kind_type kind = order;
  std::memory_order to = std::memory_order_relaxed;
  std::uint64_t value = 0;
  std::string function = {};  ///< only in this function of the lock; empty: wherever the label stands
  std::uint32_t line = 0;     ///< only in this line of it; 0: any
};

/// "acquire", of "void hemlock::hemlock_ctr<World>::acquire() [with World = ...]".
inline std::string_view short_name(std::string_view function) {
  function = function.substr(0, function.find('('));
  const auto colon = function.rfind("::");
  return colon == std::string_view::npos ? function : function.substr(colon + 2);
}

class mutations {
public:
  mutations() = default;
  mutations(std::initializer_list<mutation> list) : list_(list) {}

  [[nodiscard]] const mutation* find(std::string_view label, mutation::kind_type kind,
                                     const std::source_location& where) const {
    for (const auto& each : list_)
      if (each.kind == kind && each.label == label && (each.line == 0 || each.line == where.line()) &&
          (each.function.empty() || each.function == short_name(where.function_name())))
        return &each;
    return nullptr;
  }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const std::vector<mutation>& all() const { return list_; }
  void add(mutation more) { list_.push_back(std::move(more)); }

private:
  std::vector<mutation> list_;
};

}  // namespace hemlock::check
