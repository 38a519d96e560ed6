// Starts a number of threads and joins them.
#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace hemlock::test {

/// Each runs body(number), numbers from 0.
inline void run_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int number = 0; number < count; ++number) threads.emplace_back(std::cref(body), number);
  for (auto& thread : threads) thread.join();
}

}  // namespace hemlock::test
