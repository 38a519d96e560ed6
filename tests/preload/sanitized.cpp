// sanitized: as much of standard_threads as the sanitizers of older compilers know, to be built with one.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return turn % 4 == t; });
        ++turn;
        changed.notify_all();
      }
    });
  for (auto& thread : threads) thread.join();
  std::printf("%d turns\n", turn);
}
