// A stranger's program: everything it knows of Hemlock comes by the way under test.
#include <hemlock/condition_variable.hpp>
#include <hemlock/fifo_mutex.hpp>
#include <hemlock/mutex.hpp>
#include <hemlock/recursive_mutex.hpp>
#include <mutex>
#include <thread>

int main() {
  hemlock::mutex lock;
  hemlock::condition_variable changed;
  hemlock::recursive_mutex twice;
  hemlock::fifo_mutex line;
  bool ready = false;
  std::thread other([&] {
    const std::scoped_lock both(twice, line);
    const std::lock_guard again(twice);
    const std::lock_guard guard(lock);
    ready = true;
    changed.notify_one();
  });
  std::unique_lock guard(lock);
  changed.wait(guard, [&] { return ready; });
  guard.unlock();
  other.join();
  return ready ? 0 : 1;
}
