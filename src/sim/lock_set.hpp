// The registered locks, by name, made in simulated memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hemlock::sim {

enum class wait_style : bool { spin, park };

/// A lock in the simulated machine. Calling it costs no simulated time; what it does, does.
class any_lock {
public:
  virtual ~any_lock() = default;

  /// Locks, runs the section, unlocks: in one frame, so that a lock whose element lies on the stack has one.
  template <class Section>
  void around(Section&& section) {
    using plain_section = std::remove_reference_t<Section>;
    with([](void* what) { (*static_cast<plain_section*>(what))(); },
         const_cast<void*>(static_cast<const void*>(&section)));
  }

private:
  virtual void with(void (*section)(void*), void* argument) = 0;
};

/// Made in the current machine's memory. There must be one of that name.
std::unique_ptr<any_lock> make_lock(std::string_view name, wait_style style);

std::vector<std::string_view> simulated_locks();
std::vector<std::string_view> parking_locks();
bool is_fifo(std::string_view lock);

}  // namespace hemlock::sim
