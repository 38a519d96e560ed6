// A World for deterministic tests: the native one, but each thread may hang a hook on its atomic operations. The
// hook sees the operation's label before and after it happens, may block there, and may replace what a load
// returns. The lock under test is the shipped template.
#pragma once

#include <atomic>
#include <concepts>
#include <functional>
#include <string_view>

#include "hemlock/world/native.hpp"

namespace hemlock::test {

enum class moment { before, after };

struct observation {
  moment when;
  std::string_view label;
  const void* address;
};

using hook = std::function<void(const observation&)>;

/// This thread's hook; the label whose loads read null, and the label whose CAS claims success without doing anything
/// (both mutations of the algorithm, or a way out of a loop that will never end).
inline thread_local const hook* on_operation = nullptr;
inline thread_local std::string_view blinded_label;
inline thread_local std::string_view forced_label;

/// Hangs a hook on this thread for a scope.
class observing {
public:
  explicit observing(hook function) : hook_(std::move(function)) { on_operation = &hook_; }
  ~observing() { on_operation = nullptr; }
  observing(const observing&) = delete;
  observing& operator=(const observing&) = delete;

private:
  hook hook_;
};

template <class T>
class observed_atomic {
public:
  constexpr observed_atomic() noexcept = default;
  constexpr observed_atomic(T value) noexcept : value_(value) {}  // NOLINT(google-explicit-constructor)

  T load(labelled_order order) const {
    tell(moment::before, order);
    T result = value_.load(order);
    tell(moment::after, order);
    if (blinded_label == order.label) result = T{};
    return result;
  }
  void store(T value, labelled_order order) {
    tell(moment::before, order);
    value_.store(value, order);
    tell(moment::after, order);
  }
  T exchange(T value, labelled_order order) {
    tell(moment::before, order);
    const T result = value_.exchange(value, order);
    tell(moment::after, order);
    return result;
  }
  template <class D>
  T fetch_add(D difference, labelled_order order) {
    tell(moment::before, order);
    const T result = value_.fetch_add(
        static_cast<std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>>(difference), order);
    tell(moment::after, order);
    return result;
  }
  bool compare_exchange_strong(T& expected, T desired, labelled_order success, labelled_order failure) {
    tell(moment::before, success);
    if (forced_label == success.label) return true;
    const bool done = value_.compare_exchange_strong(expected, desired, success, failure);
    tell(moment::after, done ? success : failure);
    return done;
  }

  const std::atomic<T>& underlying() const noexcept { return value_; }

private:
  void tell(moment when, labelled_order order) const {
    if (on_operation != nullptr) (*on_operation)({when, order.label, this});
  }

  std::atomic<T> value_{};
};

template <class Base>
struct observed : Base {
  template <class T>
  using atomic = observed_atomic<T>;

  template <class T>
  static void park(const atomic<T>& word, std::type_identity_t<T> expected) {
    Base::park(word.underlying(), expected);
  }
  template <class T>
  static void unpark_one(const atomic<T>* word) {
    Base::unpark_one(&word->underlying());
  }
  template <class T>
  static void unpark_all(const atomic<T>* word) {
    Base::unpark_all(&word->underlying());
  }
};

static_assert(world<observed<native<waiting::yield>>>);

}  // namespace hemlock::test
