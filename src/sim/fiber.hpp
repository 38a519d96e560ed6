// A simulated CPU's program: a stackful coroutine on a stack that the machine gives it.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "sim/sanitizer.hpp"

namespace hemlock::sim {

class fiber {
public:
  fiber() = default;

  /// The program starts at the first resume().
  fiber(std::span<std::byte> stack, std::function<void()> program) : stack_(stack) {
    boost::context::stack_context context;
    context.sp = stack.data() + stack.size();
    context.size = stack.size();
    inside_ = boost::context::fiber(
        std::allocator_arg, boost::context::preallocated(context.sp, context.size, context), no_allocator{},
        [this, program = std::move(program)](boost::context::fiber&& outside) {
          sanitizer_.entered();
          outside_ = std::move(outside);
          program();
          done_ = true;
          sanitizer_.leaving_for_good();
          return std::move(outside_);
        });
    sanitizer_.created(stack_.data(), stack_.size());
  }
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// From the engine: run the program until it calls suspend() or ends.
  void resume() {
    sanitizer_.entering();
    inside_ = std::move(inside_).resume();
    sanitizer_.returned();
  }
  /// From the program: back to the engine.
  void suspend() {
    sanitizer_.leaving();
    outside_ = std::move(outside_).resume();
    sanitizer_.entered();
  }
  [[nodiscard]] bool done() const { return done_; }
  /// The program will never end: forget it where it stands. Unwinding would throw through the noexcept functions
  /// of a lock.
  void abandon() { *new boost::context::fiber() = std::move(inside_); }

private:
  struct no_allocator {
    static void deallocate(boost::context::stack_context&) noexcept {}
  };

  std::span<std::byte> stack_;
  boost::context::fiber inside_;
  boost::context::fiber outside_;
  bool done_ = false;
  [[no_unique_address]] fiber_sanitizer sanitizer_;
};

}  // namespace hemlock::sim
