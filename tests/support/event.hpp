// Something that happens once, and that other threads wait for.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace hemlock::test {

class event {
public:
  void happen() {
    const std::scoped_lock guard(mutex_);
    happened_ = true;
    changed_.notify_all();
  }
  void await() {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return happened_; });
  }
  [[nodiscard]] bool has_happened() {
    const std::scoped_lock guard(mutex_);
    return happened_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool happened_ = false;
};

}  // namespace hemlock::test
