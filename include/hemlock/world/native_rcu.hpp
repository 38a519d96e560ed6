// The native World with safe memory reclamation by liburcu (the bulletproof flavour, which needs no registration of
// threads). Apart from native.hpp because only this header needs a library: link -lurcu-bp -lurcu-common.
#pragma once

#include <urcu/urcu-bp.h>

#include <utility>

#include "native.hpp"

namespace hemlock {

template <class Wait, class Checks = checks::by_default>
struct native_rcu : native<Wait, Checks> {
  /// While one lives, nothing that is retired after its beginning is freed.
  class reading {
  public:
    reading() noexcept { ::urcu_bp_read_lock(); }
    ~reading() { ::urcu_bp_read_unlock(); }
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;
  };

  template <class T, class... Arguments>
  static T* create(Arguments&&... arguments) {
    return &(new boxed<T>(std::forward<Arguments>(arguments)...))->value;
  }
  template <class T>
  static void destroy(T* object) noexcept {
    delete box_of(object);
  }
  /// Frees the object when all who are reading now have finished.
  template <class T>
  static void retire(T* object) noexcept {
    boxed<T>* const box = box_of(object);
    box->reclaim.owner = box;
    ::urcu_bp_call_rcu(&box->reclaim.head, &free_boxed<T>);
  }
  /// Waits until everything retired so far is freed.
  static void drain() noexcept { ::urcu_bp_barrier(); }

private:
  template <class T>
  struct boxed;
  template <class T>
  struct reclaimed {
    rcu_head head{};
    boxed<T>* owner = nullptr;
  };
  template <class T>
  struct boxed {
    template <class... Arguments>
    explicit boxed(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
    T value;  // first, so that a pointer to it is a pointer to the box
    reclaimed<T> reclaim;
  };

  template <class T>
  static boxed<T>* box_of(T* object) noexcept {
    return reinterpret_cast<boxed<T>*>(object);
  }
  template <class T>
  static void free_boxed(rcu_head* head) {
    delete reinterpret_cast<reclaimed<T>*>(head)->owner;
  }
};

static_assert(reclaiming_world<native_rcu<waiting::yield>>);

}  // namespace hemlock
