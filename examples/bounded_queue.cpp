// A queue of bounded length between producers and consumers, with conditions for "not full" and "not empty", and
// an end: close() lets consumers take what is left, then leave.
#include <cstdio>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

#include "hemlock/condition_variable.hpp"
#include "hemlock/guards.hpp"
#include "hemlock/mutex.hpp"

namespace {

template <class Item>
class bounded_queue {
public:
  explicit bounded_queue(std::size_t longest) : longest_(longest) {}

  void put(Item item) {
    {
      hemlock::unique_lock<hemlock::mutex> guard(lock_);
      while (items_.size() >= longest_) not_full_.wait(guard);
      items_.push_back(std::move(item));
    }
    not_empty_.notify_one();
  }

  /// Nothing once the queue is closed and empty.
  std::optional<Item> take() {
    std::optional<Item> taken;
    {
      hemlock::unique_lock<hemlock::mutex> guard(lock_);
      while (items_.empty() && !closed_) not_empty_.wait(guard);
      if (items_.empty()) return std::nullopt;
      taken = std::move(items_.front());
      items_.pop_front();
    }
    not_full_.notify_one();
    return taken;
  }

  void close() {
    const hemlock::lock_guard<hemlock::mutex> guard(lock_);
    closed_ = true;
    not_empty_.notify_all();  // with the lock held: nobody wakes before it can have the lock
  }

private:
  hemlock::mutex lock_;
  hemlock::condition_variable not_full_, not_empty_;
  std::deque<Item> items_ HEMLOCK_GUARDED_BY(lock_);
  bool closed_ HEMLOCK_GUARDED_BY(lock_) = false;
  const std::size_t longest_;
};

}  // namespace

int main() {
  constexpr int producers = 3, consumers = 3, each = 5000;
  bounded_queue<int> queue(16);
  std::vector<long> sums(consumers);
  std::vector<std::thread> taking, putting;
  for (std::size_t i = 0; i < consumers; ++i) {
    taking.emplace_back([&queue, &sum = sums[i]] {
      while (const auto item = queue.take()) sum += *item;
    });
  }
  for (int i = 0; i < producers; ++i) {
    putting.emplace_back([&queue] {
      for (int item = 1; item <= each; ++item) queue.put(item);
    });
  }
  for (auto& producer : putting) producer.join();
  queue.close();
  for (auto& consumer : taking) consumer.join();
  long sum = 0;
  for (const long part : sums) sum += part;
  const long expected = long{producers} * each * (each + 1) / 2;
  std::printf("%d items through a queue of 16: sum %ld, expected %ld\n", producers * each, sum, expected);
  return sum == expected ? 0 : 1;
}
