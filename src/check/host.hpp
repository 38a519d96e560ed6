// What the checked World needs from whoever runs it. Apart from the engine, so that the locks' templates, which are slow to
// compile, do not depend on how it works.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "check/mutation.hpp"
#include "check/region.hpp"
#include "check/request.hpp"

namespace hemlock::check {

class host {
public:
  host() = default;
  host(const host&) = delete;
  host& operator=(const host&) = delete;
  virtual ~host() = default;

  /// The one whose fibers run in this OS thread.
  static host*& current();

  // Steps.
  virtual std::uint64_t ask(request wanted) = 0;
  virtual bool ask_compare(request wanted, std::uint64_t& found) = 0;
  virtual bool flip() = 0;  ///< either way
  virtual bool deadline_passed() = 0;
  virtual void new_deadline() = 0;

  // Memory.
  virtual std::uint64_t plain_read(address where, std::uint64_t initial) = 0;
  virtual void plain_write(address where, std::uint64_t value) = 0;
  virtual void made_atomic(address where, std::size_t bytes, std::uint64_t initial) = 0;
  virtual void made_plain(address where, std::size_t bytes, std::uint64_t initial) = 0;
  virtual void gone(address where) = 0;
  virtual void* allocate(std::size_t bytes, std::size_t alignment) = 0;
  virtual void free_block(address where) = 0;
  virtual void* find_record(const void* kind) = 0;
  virtual void add_record(const void* kind, void* record) = 0;
  virtual void at_exit(const void* kind, void (*run)(void*), void* record) = 0;

  // Wait loops.
  virtual void loop_begins(address spinner) = 0;
  virtual void loop_ends(address spinner) = 0;
  virtual void pause(address spinner) = 0;
  /// From here on, what this thread does depends on `position` only, and on memory.
  virtual void checkpoint(std::uint64_t position) = 0;
  /// Between two looks, a loop that parks keeps nothing but what it saw last: what came before in the loop may be
  /// forgotten.
  virtual void forget_history(address spinner) = 0;
  /// Inside lock or unlock: what this thread does depends on how it came there, on `place` and on `value` only.
  virtual void forget_search(std::uint64_t place, std::uint64_t value) = 0;

  // Locks.
  virtual void locking(address lock) = 0;
  virtual void locked(address lock) = 0;
  virtual void unlocking(address lock) = 0;
  virtual void gave_up(address lock, std::size_t bytes) = 0;
  [[nodiscard]] virtual address lock_wanted() const = 0;
  virtual void on_signal(std::function<void()> handler, int times) = 0;

  // Before and after the threads run, and in assertions.
  [[nodiscard]] virtual bool outside() const = 0;
  [[nodiscard]] virtual bool making() const = 0;
  [[nodiscard]] virtual std::uint64_t outside_load(address where, std::uint64_t initial) const = 0;
  virtual void tell(std::string text) = 0;
  [[nodiscard]] virtual const mutations& changes() const = 0;
  /// Inside an assertion: answers a load without a step.
  virtual bool expected_load(address where, std::uint64_t initial, std::uint64_t& value) = 0;
  /// Calls `holds` for every value that its loads may see.
  template <class Condition>
  void expect(Condition holds) {
    if (!begin_expect()) return;
    do {
      if (!holds()) expectation_failed();
    } while (next_expect());
  }

protected:
  virtual bool begin_expect() = 0;
  virtual bool next_expect() = 0;
  virtual void expectation_failed() = 0;
};

}  // namespace hemlock::check
