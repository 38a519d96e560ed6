// How a lock type becomes a lock_case.
#pragma once

#include <cstring>
#include <new>

#include "hemlock/locks/lock_handle.hpp"
#include "hemlock/registry.hpp"
#include "support/any_lock.hpp"

namespace hemlock::test {

template <class Lock>
class erased_lock final : public any_lock {
  class handle final : public any_handle {
  public:
    explicit handle(Lock& lock) : handle_(lock) {}
    // What is locked here is unlocked elsewhere, which the analysis cannot follow.
    void lock() override HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { handle_.lock(); }
    bool try_lock() override HEMLOCK_NO_THREAD_SAFETY_ANALYSIS {
      if constexpr (has_try_lock<Lock>)
        return handle_.try_lock();
      else
        std::abort();
    }
    void unlock() override HEMLOCK_NO_THREAD_SAFETY_ANALYSIS { handle_.unlock(); }

  private:
    lock_handle<Lock> handle_;
  };

public:
  explicit erased_lock(bool construct) {
    std::memset(memory_, 0, sizeof memory_);
    if (construct) new (memory_) Lock;
  }
  ~erased_lock() override { lock().~Lock(); }
  std::unique_ptr<any_handle> grip() override { return std::make_unique<handle>(lock()); }
  const void* begin() const override { return memory_; }
  const void* end() const override { return memory_ + sizeof memory_; }

private:
  Lock& lock() { return *std::launder(reinterpret_cast<Lock*>(memory_)); }
  alignas(Lock) unsigned char memory_[sizeof(Lock)];
};

template <class World>
void append_cases(std::vector<lock_case>& cases) {
  for_each_lock<World>([&]<class Lock>() {
    if constexpr (!World::must_park || Lock::traits.parks)
      cases.push_back(
          {facts_of<Lock>(), std::string(World::wait_policy::name),
           []() -> std::unique_ptr<any_lock> { return std::make_unique<erased_lock<Lock>>(true); },
           []() -> std::unique_ptr<any_lock> { return std::make_unique<erased_lock<Lock>>(false); }});
  });
}

}  // namespace hemlock::test
