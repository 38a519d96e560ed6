#include "sim/lock_set.hpp"

#include <stdexcept>

#include "hemlock/locks/lock_handle.hpp"
#include "hemlock/registry.hpp"
#include "sim/world.hpp"

namespace hemlock::sim {
namespace {

template <class Lock>
class simulated final : public any_lock {
public:
  simulated() : lock_(new (machine::current().memory().allocate(sizeof(Lock))) Lock) {
    machine::current().name_lines(lock_, sizeof(Lock), "lock");
  }
  simulated(const simulated&) = delete;
  simulated& operator=(const simulated&) = delete;
  ~simulated() override { lock_->~Lock(); }

private:
  void with(void (*section)(void*), void* argument) override {
    lock_handle<Lock> handle(*lock_);
    handle.lock();
    section(argument);
    handle.unlock();
  }

  Lock* lock_;
};

template <class World>
std::unique_ptr<any_lock> make_in(std::string_view name) {
  std::unique_ptr<any_lock> made;
  with_lock<World>(name, [&]<class Lock>() { made = std::make_unique<simulated<Lock>>(); });
  if (!made) throw std::invalid_argument("no simulated lock of that name");
  return made;
}

}  // namespace

std::unique_ptr<any_lock> make_lock(std::string_view name, wait_style style) {
  return style == wait_style::park ? make_in<parking_world>(name) : make_in<spinning_world>(name);
}

std::vector<std::string_view> simulated_locks() {
  std::vector<std::string_view> names;
  for_each_lock<spinning_world>([&]<class Lock>() { names.push_back(Lock::traits.name); });
  return names;
}

std::vector<std::string_view> parking_locks() {
  std::vector<std::string_view> names;
  for_each_lock<parking_world>([&]<class Lock>() {
    if (Lock::traits.parks) names.push_back(Lock::traits.name);
  });
  return names;
}

bool is_fifo(std::string_view lock) {
  bool fifo = false;
  with_lock<spinning_world>(lock, [&]<class Lock>() { fifo = Lock::traits.fifo; });
  return fifo;
}

}  // namespace hemlock::sim
