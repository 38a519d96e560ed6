// The registered locks behind one interface, so that a property is compiled once and tested for all. Only these calls
// are virtual: behind them runs the shipped template.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "hemlock/locks/lock_traits.hpp"

namespace hemlock::test {

/// One thread's grip on a lock (lock_handle). Lockable, so that the standard guards take it.
class any_handle {
public:
  virtual ~any_handle() = default;
  virtual void lock() = 0;
  virtual bool try_lock() = 0;  ///< only for locks whose facts say try_lock
  virtual void unlock() = 0;
};

/// An object on the heap that contains a lock; deleting it ends the lock.
class any_lock {
public:
  virtual ~any_lock() = default;
  virtual std::unique_ptr<any_handle> grip() = 0;
  [[nodiscard]] virtual const void* begin() const = 0;  ///< the lock's own bytes
  [[nodiscard]] virtual const void* end() const = 0;
};

/// A lock of the registry under one waiting policy.
struct lock_case {
  lock_facts facts;
  std::string policy;
  std::unique_ptr<any_lock> (*make)();
  std::unique_ptr<any_lock> (*make_from_zeroes)();  ///< without running a constructor of the lock

  [[nodiscard]] std::string name() const;
};

inline void PrintTo(const lock_case& one, std::ostream* out) {
  *out << one.name();
}

/// Every lock in the native World, under every policy that gives the CPU away: threads outnumber CPUs in the tests.
const std::vector<lock_case>& patient_locks();
/// Every lock under pure spinning.
const std::vector<lock_case>& spinning_locks();
/// As patient_locks, but in the observed World: a thread's hook sees each atomic operation.
const std::vector<lock_case>& observed_locks();

template <class Predicate>
std::vector<lock_case> those(const std::vector<lock_case>& cases, Predicate predicate) {
  std::vector<lock_case> chosen;
  for (const auto& one : cases)
    if (predicate(one.facts)) chosen.push_back(one);
  return chosen;
}

/// GoogleTest's name for a case: letters, digits and underscores only.
struct case_name {
  template <class Info>
  std::string operator()(const Info& info) const {
    std::string name = info.param.name();
    for (char& c : name)
      if (c == '-' || c == '/') c = '_';
    return name;
  }
};

}  // namespace hemlock::test
