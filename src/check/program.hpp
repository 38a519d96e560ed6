// What is checked: a shared object, some threads that use it, and a question at the end.
#pragma once

#include <string>

namespace hemlock::check {

class program {
public:
  program() = default;
  program(const program&) = delete;
  program& operator=(const program&) = delete;
  virtual ~program() = default;

  [[nodiscard]] virtual unsigned threads() const = 0;
  /// Builds the shared object. Called once, before all threads.
  virtual void make() = 0;
  virtual void run(unsigned thread) = 0;
  /// Threads of the same kind do the same, so that executions which differ only in which of them does what are one.
  [[nodiscard]] virtual int kind(unsigned thread) const { return static_cast<int>(thread); }
  /// When all threads have ended: what is wrong, or nothing.
  virtual std::string finish() = 0;
};

}  // namespace hemlock::check
