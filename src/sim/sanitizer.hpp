// Tells AddressSanitizer and ThreadSanitizer that the stack is being changed; nothing in other builds.
#pragma once

#include <cstddef>

#include "hemlock/platform/tsan.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define HEMLOCK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEMLOCK_ASAN 1
#endif
#endif

#if defined(HEMLOCK_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

namespace hemlock::sim {

#if defined(HEMLOCK_ASAN)

class fiber_sanitizer {
public:
  void created(const void* stack, std::size_t size) {
    stack_ = stack;
    size_ = size;
  }
  void entering() { __sanitizer_start_switch_fiber(&engine_fake_, stack_, size_); }
  void entered() { __sanitizer_finish_switch_fiber(fake_, &engine_stack_, &engine_size_); }
  void leaving() { __sanitizer_start_switch_fiber(&fake_, engine_stack_, engine_size_); }
  void leaving_for_good() { __sanitizer_start_switch_fiber(nullptr, engine_stack_, engine_size_); }
  void returned() { __sanitizer_finish_switch_fiber(engine_fake_, nullptr, nullptr); }

private:
  const void* stack_ = nullptr;
  std::size_t size_ = 0;
  const void* engine_stack_ = nullptr;
  std::size_t engine_size_ = 0;
  void* fake_ = nullptr;
  void* engine_fake_ = nullptr;
};

#elif defined(HEMLOCK_TSAN)

class fiber_sanitizer {
public:
  fiber_sanitizer() = default;
  fiber_sanitizer(const fiber_sanitizer&) = delete;
  fiber_sanitizer& operator=(const fiber_sanitizer&) = delete;
  ~fiber_sanitizer() {
    if (inside_ != nullptr) __tsan_destroy_fiber(inside_);
  }
  void created(const void*, std::size_t) { inside_ = __tsan_create_fiber(0); }
  void entering() {
    engine_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(inside_, 0);
  }
  void entered() {}
  void leaving() { __tsan_switch_to_fiber(engine_, 0); }
  void leaving_for_good() { __tsan_switch_to_fiber(engine_, 0); }
  void returned() {}

private:
  void* inside_ = nullptr;
  void* engine_ = nullptr;
};

#else

struct fiber_sanitizer {
  void created(const void*, std::size_t) {}
  void entering() {}
  void entered() {}
  void leaving() {}
  void leaving_for_good() {}
  void returned() {}
};

#endif

}  // namespace hemlock::sim
