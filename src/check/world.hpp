// The checked World: the locks' own templates, on a model of the C++ memory model.
#pragma once

#include <bit>
#include <cstring>
#include <functional>
#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

#include "check/host.hpp"
#include "hemlock/world/concept.hpp"

namespace hemlock::check {

template <class T>
std::uint64_t to_bits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T>
inline constexpr std::uint64_t value_mask = sizeof(T) == 8 ? ~std::uint64_t{0}
                                                           : (std::uint64_t{1} << (8U * (sizeof(T) % 8))) - 1;

/// An atomic word of the model. Its own bytes hold only the value it was made with.
template <class T>
class checked_atomic {
  using difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;
  using where_type = std::source_location;

public:
  using value_type = T;

  constexpr checked_atomic() noexcept : checked_atomic(T{}) {}
  constexpr checked_atomic(T value) noexcept : initial_(value) {  // NOLINT(google-explicit-constructor)
    if (!std::is_constant_evaluated()) host::current()->made_atomic(here(), sizeof *this, to_bits(value));
  }
  checked_atomic(const checked_atomic&) = delete;
  checked_atomic& operator=(const checked_atomic&) = delete;
  constexpr ~checked_atomic() {
    if (!std::is_constant_evaluated()) host::current()->gone(here());
  }

  T load(labelled_order order, where_type at = where_type::current()) const {
    host& runs = *host::current();
    if (runs.outside()) return from_bits<T>(runs.outside_load(here(), to_bits(initial_)));
    std::uint64_t value = 0;
    if (runs.expected_load(here(), initial(), value)) return from_bits<T>(value);
    if (const auto* fixed = runs.changes().find(order.label, mutation::answer, at))
      return from_bits<T>(fixed->value);
    value = runs.ask(make(action::load, order, at));
    if (value != 0 && runs.changes().find(order.label, mutation::lock_flag, at) != nullptr)
      value = runs.lock_wanted();
    return from_bits<T>(value);
  }

  void store(T value, labelled_order order, where_type at = where_type::current()) {
    host& runs = *host::current();
    if (runs.outside()) {
      initial_ = value;
      return;
    }
    if (runs.changes().find(order.label, mutation::drop, at) != nullptr) return;
    runs.ask(make(action::store, order, at, to_bits(value)));
  }

  T exchange(T value, labelled_order order, where_type at = where_type::current()) {
    if (host::current()->outside()) return std::exchange(initial_, value);
    if (host::current()->changes().find(order.label, mutation::split, at) != nullptr) {
      const T old = load({std::memory_order_acquire, order.label}, at);
      store(value, {std::memory_order_release, order.label}, at);
      return old;
    }
    return update(action::exchange, to_bits(value), order, at);
  }

  bool compare_exchange_strong(T& expected, T desired, labelled_order success, labelled_order failure,
                               where_type at = where_type::current()) {
    return compare(action::compare_exchange, expected, desired, success, failure, at);
  }
  bool compare_exchange_weak(T& expected, T desired, labelled_order success, labelled_order failure,
                             where_type at = where_type::current()) {
    return compare(action::compare_exchange_weak, expected, desired, success, failure, at);
  }

  T fetch_add(difference more, labelled_order order, where_type at = where_type::current()) {
    if (const auto* fixed = host::current()->changes().find(order.label, mutation::answer, at))
      return from_bits<T>(fixed->value);
    return update(action::add, scaled(more), order, at);
  }
  T fetch_sub(difference less, labelled_order order, where_type at = where_type::current()) {
    return update(action::add, std::uint64_t{0} - scaled(less), order, at);
  }
  T fetch_or(T bits, labelled_order order, where_type at = where_type::current()) {
    return update(action::bit_or, to_bits(bits), order, at);
  }
  T fetch_and(T bits, labelled_order order, where_type at = where_type::current()) {
    return update(action::bit_and, to_bits(bits), order, at);
  }
  T fetch_xor(T bits, labelled_order order, where_type at = where_type::current()) {
    return update(action::bit_xor, to_bits(bits), order, at);
  }

  /// A request about this word; parking makes one, too.
  [[nodiscard]] request make(action what, labelled_order order, const where_type& at,
                             std::uint64_t operand = 0) const {
    request wanted;
    wanted.what = what;
    wanted.order = effective(order, at);
    wanted.where = here();
    wanted.operand = operand & value_mask<T>;
    wanted.initial = initial();
    wanted.mask = value_mask<T>;
    wanted.label = order.label;
    wanted.file = at.file_name();
    wanted.function = at.function_name();
    wanted.line = at.line();
    return wanted;
  }

private:
  [[nodiscard]] address here() const { return region::address_of(this); }
  /// Only what was made before all threads keeps its first value in its bytes: see engine.cpp, made_atomic.
  [[nodiscard]] std::uint64_t initial() const {
    return region::get().in_shared(here()) ? to_bits(initial_) : 0;
  }
  static std::memory_order effective(labelled_order order, const where_type& at) {
    const auto* change = host::current()->changes().find(order.label, mutation::order, at);
    return change == nullptr ? order.order : change->to;
  }
  static std::uint64_t scaled(difference by) {
    if constexpr (std::is_pointer_v<T>)
      return static_cast<std::uint64_t>(by) * sizeof(std::remove_pointer_t<T>);
    else
      return to_bits(by);
  }
  T update(action what, std::uint64_t operand, labelled_order order, const where_type& at) {
    request wanted = make(what, order, at, operand);
    if (what == action::add) wanted.operand = operand;  // a negative step must not be cut short of the mask
    return from_bits<T>(host::current()->ask(wanted));
  }
  bool compare(action what, T& expected, T desired, labelled_order success, labelled_order failure,
               const where_type& at) {
    host& runs = *host::current();
    if (runs.outside()) {
      if (to_bits(initial_) != to_bits(expected)) {
        expected = initial_;
        return false;
      }
      initial_ = desired;
      return true;
    }
    request wanted = make(what, success, at, to_bits(desired));
    wanted.expected = to_bits(expected) & value_mask<T>;
    wanted.failure_order = effective(failure, at);
    wanted.failure_label = failure.label;
    std::uint64_t found = 0;
    const bool done = runs.ask_compare(wanted, found);
    if (!done) expected = from_bits<T>(found);
    return done;
  }

  T initial_;
};

/// A plain variable, watched for data races.
template <class T>
class checked_plain {
public:
  constexpr checked_plain() noexcept : checked_plain(T{}) {}
  constexpr checked_plain(T value) noexcept : initial_(value) {  // NOLINT(google-explicit-constructor)
    if (!std::is_constant_evaluated()) host::current()->made_plain(here(), sizeof *this, to_bits(value));
  }
  checked_plain(const checked_plain& other) noexcept : checked_plain(static_cast<T>(other)) {}
  constexpr ~checked_plain() {
    if (!std::is_constant_evaluated()) host::current()->gone(here());
  }
  checked_plain& operator=(const checked_plain& other) { return *this = static_cast<T>(other); }
  checked_plain& operator=(T value) {
    host& runs = *host::current();
    if (runs.outside())
      initial_ = value;
    else
      runs.plain_write(here(), to_bits(value));
    return *this;
  }
  operator T() const {  // NOLINT(google-explicit-constructor)
    host& runs = *host::current();
    const std::uint64_t initial = region::get().in_shared(here()) ? to_bits(initial_) : 0;
    if (runs.making()) return initial_;
    return from_bits<T>(runs.plain_read(here(), initial));
  }
  T operator->() const requires std::is_pointer_v<T> { return static_cast<T>(*this); }

private:
  [[nodiscard]] address here() const { return region::address_of(this); }
  T initial_;
};

/// `Parks`: whether waiting threads go to sleep, or spin for ever.
template <bool Parks>
struct checked {
  static constexpr bool may_park = Parks;

  template <class T>
  using atomic = checked_atomic<T>;
  template <class T>
  using plain = checked_plain<T>;

  /// Tells the engine who wants, holds and leaves which lock.
  struct checks {
    static constexpr bool enabled = false;
    struct life {};
    static void locking(const void* lock, std::string_view) {
      host::current()->locking(region::address_of(lock));
    }
    static void locked(const void* lock, std::string_view) {
      host::current()->locked(region::address_of(lock));
    }
    static void unlocking(const void* lock, std::string_view) {
      host::current()->unlocking(region::address_of(lock));
    }
    /// A timed attempt has ended without the lock.
    static void gave_up(const void* lock, std::size_t bytes) {
      host::current()->gave_up(region::address_of(lock), bytes);
    }
  };

  class spinner {
  public:
    spinner() { host::current()->loop_begins(region::address_of(this)); }
    ~spinner() { host::current()->loop_ends(region::address_of(this)); }
    spinner(const spinner&) = delete;
    spinner& operator=(const spinner&) = delete;
    void pause() { host::current()->pause(region::address_of(this)); }
    /// A thread that spins a while before it parks differs from one that parks at once only in looks that
    /// fail; those change nothing.
    bool pause_or_park() {
      if constexpr (Parks)
        host::current()->forget_history(region::address_of(this));
      else
        pause();
      return !Parks;
    }
    /// See hemlock::search_again.
    void search_again(const void* value, std::uint32_t place) {
      host::current()->forget_search(place, region::address_of(value));
    }
  };

  class monitor {
  public:
    constexpr monitor() noexcept = default;
    void lock() { act(action::monitor_lock); }
    void unlock() { act(action::monitor_unlock); }
    void wait() { act(action::monitor_wait); }
    void notify_all() { act(action::monitor_notify); }

  private:
    void act(action what) {
      request wanted;
      wanted.what = what;
      wanted.where = region::address_of(this);
      host::current()->ask(wanted);
    }
    std::uint64_t unused_ = 0;
  };

  template <class Record>
  static Record& self() {
    host& runs = *host::current();
    if (void* const known = runs.find_record(&kind<Record>)) return *static_cast<Record*>(known);
    void* const place = runs.allocate(sizeof(Record), alignof(Record));
    auto* const made = new (place) Record{};
    runs.add_record(&kind<Record>, made);
    return *made;
  }
  template <auto Action, class Record>
  static void at_thread_exit() {
    Record& own = self<Record>();
    host::current()->at_exit(
        &kind<Record>, [](void* record) { Action(*static_cast<Record*>(record)); }, &own);
  }

  template <class T>
  static void park(const atomic<T>& word, T expected) {
    host::current()->ask(sleep_on(word, expected, action::park));
  }
  template <class T>
  static void unpark_one(const atomic<T>* word) {
    wake(word, action::unpark_one);
  }
  template <class T>
  static void unpark_all(const atomic<T>* word) {
    wake(word, action::unpark_all);
  }

  /// Passes at any moment, and then stays so.
  struct deadline {
    deadline() { host::current()->new_deadline(); }
  };
  static bool passed(const deadline&) { return host::current()->deadline_passed(); }
  template <class T>
  static bool park_until(const atomic<T>& word, T expected, const deadline&) {
    return host::current()->ask(sleep_on(word, expected, action::park_until)) != 0;
  }

  /// Runs out at any moment, and then stays so. Impatience is left out: all it does differs from patience and
  /// exhaustion in no step.
  class patience {
  public:
    static constexpr unsigned unlocks_per_look = 2;
    mood look(const patience_limits&) {
      if (!exhausted_ && host::current()->flip()) exhausted_ = true;
      return exhausted_ ? mood::exhausted : mood::patient;
    }

  private:
    plain<bool> exhausted_{false};
  };
  static void give_way() {}

  template <class T, class... Arguments>
  static T* create(Arguments&&... arguments) {
    void* const place = host::current()->allocate(sizeof(T), alignof(T));
    return new (place) T(std::forward<Arguments>(arguments)...);
  }
  template <class T>
  static void destroy(T* object) {
    if (object == nullptr) return;
    object->~T();
    host::current()->free_block(region::address_of(object));
  }

  /// Collection: what is retired stays, since nobody here runs long enough to run out of memory.
  struct reading {
    reading() {}  // NOLINT(modernize-use-equals-default): an object of it is used, not forgotten
  };
  template <class T>
  static void retire(T*) {}

  template <class Condition>
  static void expect(Condition condition) {
    host::current()->expect(condition);
  }

  // Beyond the concept, for scenarios.
  static void fence(labelled_order order) {
    request wanted;
    wanted.what = action::fence;
    wanted.order = order.order;
    wanted.label = order.label;
    host::current()->ask(wanted);
  }
  /// From here on, what this thread does depends on `position` only (and on memory).
  static void checkpoint(std::uint64_t position) { host::current()->checkpoint(position); }
  /// At the end: what is in the word there.
  static std::uint64_t final_value(const void* word) {
    return host::current()->outside_load(region::address_of(word), 0);
  }
  static void on_signal(std::function<void()> handler, int times) {
    host::current()->on_signal(std::move(handler), times);
  }

private:
  template <class Record>
  static inline const char kind = 0;

  template <class T>
  static request sleep_on(const atomic<T>& word, T expected, action what) {
    request wanted = word.make(what, {std::memory_order_relaxed, "park"}, std::source_location::current());
    wanted.expected = to_bits(expected);
    wanted.mask &= 0xffffffffU;
    return wanted;
  }
  template <class T>
  static void wake(const atomic<T>* word, action what) {
    request wanted;
    wanted.what = what;
    wanted.where = region::address_of(word);
    host::current()->ask(wanted);
  }
};

static_assert(world<checked<false>> && world<checked<true>> && reclaiming_world<checked<true>>);

}  // namespace hemlock::check
