// Loaded by loads_later while it runs: has threads and a mutex of its own.
#include <mutex>
#include <thread>
#include <vector>

extern "C" [[gnu::visibility("default")]] long count_in_threads() {
  static std::mutex mutex;
  long count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const std::lock_guard<std::mutex> guard(mutex);
        ++count;
      }
    });
  for (auto& thread : threads) thread.join();
  return count;
}
