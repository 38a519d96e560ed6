// A thread of a checked program: a fiber that can be abandoned at any point and started anew.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <memory>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace hemlock::check {

class fiber {
public:
  fiber(char* stack, std::size_t bytes) : stack_(stack), bytes_(bytes) {}

  /// The body must never return. Whatever ran here before is forgotten without unwinding: its stack is ours.
  template <class Body>
  void start(Body body) {
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(stack_, bytes_);
#endif
    boost::context::stack_context where;
    where.sp = stack_ + bytes_;
    where.size = bytes_;
    const boost::context::preallocated place(where.sp, where.size, where);
    new (&inside_) boost::context::fiber(std::allocator_arg, place, nobody{},
                                         [this, body](boost::context::fiber&& caller) mutable {
                                           new (&outside_) boost::context::fiber(std::move(caller));
                                           body();
                                           return boost::context::fiber();
                                         });
  }

  /// From outside: runs it until it calls leave().
  void enter() {
    auto came_back = std::move(handle(inside_)).resume();
    new (&inside_) boost::context::fiber(std::move(came_back));
  }

  /// From inside: back to whoever entered.
  void leave() {
    auto came_back = std::move(handle(outside_)).resume();
    new (&outside_) boost::context::fiber(std::move(came_back));
  }

private:
  struct nobody {
    void deallocate(boost::context::stack_context&) noexcept {}
  };
  // Raw storage: destroying a boost fiber would unwind it, and our locks are noexcept.
  struct alignas(boost::context::fiber) storage {
    std::byte bytes[sizeof(boost::context::fiber)];
  };
  static boost::context::fiber& handle(storage& raw) {
    return *std::launder(reinterpret_cast<boost::context::fiber*>(raw.bytes));
  }

  char* stack_;
  std::size_t bytes_;
  storage inside_{};
  storage outside_{};
};

}  // namespace hemlock::check
