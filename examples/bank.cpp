// A bank: many accounts, a few locks. Each transfer locks the stripes of its two accounts, in the order of their
// index, so that two transfers can never wait for each other.
#include <array>
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "hemlock/mutex.hpp"

namespace {

class bank {
public:
  bank(std::size_t accounts, long opening_balance) : balances_(accounts, opening_balance) {}

  bool transfer(std::size_t from, std::size_t to, long amount) {
    const std::size_t one = from % stripes, other = to % stripes;
    std::unique_lock first(locks_[std::min(one, other)]);
    std::unique_lock<hemlock::mutex> second;
    if (one != other) second = std::unique_lock(locks_[std::max(one, other)]);
    if (balances_[from] < amount) return false;
    balances_[from] -= amount;
    balances_[to] += amount;
    return true;
  }

  /// The sum of all balances at one moment: takes every lock.
  long total() {
    std::vector<std::unique_lock<hemlock::mutex>> all;
    for (auto& lock : locks_) all.emplace_back(lock);
    long sum = 0;
    for (const long balance : balances_) sum += balance;
    return sum;
  }

private:
  static constexpr std::size_t stripes = 16;
  std::array<hemlock::mutex, stripes> locks_;  // 128 bytes: std::mutex would take 640
  std::vector<long> balances_;
};

}  // namespace

int main() {
  constexpr std::size_t accounts = 1000;
  constexpr long opening_balance = 100;
  bank ours(accounts, opening_balance);
  std::vector<std::thread> clerks;
  for (unsigned clerk = 0; clerk < 4; ++clerk) {
    clerks.emplace_back([&ours, clerk] {
      std::minstd_rand random(clerk + 1);
      for (int i = 0; i < 20'000; ++i)
        ours.transfer(random() % accounts, random() % accounts, static_cast<long>(random() % 50));
    });
  }
  bool balanced = true;
  for (int audit = 0; audit < 20; ++audit)
    balanced = balanced && ours.total() == opening_balance * long{accounts};
  for (auto& clerk : clerks) clerk.join();
  balanced = balanced && ours.total() == opening_balance * long{accounts};
  std::printf("80000 transfers, 20 audits, the books %s\n", balanced ? "balance" : "DO NOT balance");
  return balanced ? 0 : 1;
}
