// The simulated World: the shipped lock templates, on a machine that we do not have.
//
// Every atomic and plain access goes to machine::perform, which charges its time and moves its line. Orders are
// not needed: what a machine may reorder is the store buffer's doing. Their labels name the steps in a trace.
#pragma once

#include <algorithm>
#include <bit>
#include <new>
#include <type_traits>
#include <utility>

#include "hemlock/locks/lock_traits.hpp"
#include "hemlock/world/checks.hpp"
#include "hemlock/world/concept.hpp"
#include "sim/machine.hpp"

namespace hemlock::sim {

template <class T>
std::uint64_t to_word(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
T from_word(std::uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof(T));
  return value;
}

/// A variable is made at no cost; what the same CPU's store buffer still holds for its place came before it.
inline void begin_life(const void* place) {
  if (machine::exists()) machine::current().forget_stores_to(place);
}

/// std::atomic's interface and layout.
template <class T>
class atomic {
  using kind = operation::kind;

public:
  using value_type = T;
  using difference_type = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

  constexpr atomic() noexcept = default;
  constexpr atomic(T value) noexcept
      : value_(value) {}  // NOLINT(google-explicit-constructor): as std::atomic
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(labelled_order order) const noexcept { return from_word<T>(run(kind::load, 0, order)); }
  void store(T value, labelled_order order) noexcept { run(kind::store, to_word(value), order); }
  T exchange(T value, labelled_order order) noexcept {
    return from_word<T>(run(kind::exchange, to_word(value), order));
  }
  T fetch_add(difference_type value, labelled_order order) noexcept {
    if constexpr (std::is_pointer_v<T>)
      value *= static_cast<difference_type>(sizeof(std::remove_pointer_t<T>));
    return from_word<T>(run(kind::add, to_word(value), order));
  }
  T fetch_sub(difference_type value, labelled_order order) noexcept {
    return fetch_add(static_cast<difference_type>(difference_type{} - value), order);
  }
  T fetch_and(T value, labelled_order order) noexcept {
    return from_word<T>(run(kind::bit_and, to_word(value), order));
  }
  T fetch_or(T value, labelled_order order) noexcept {
    return from_word<T>(run(kind::bit_or, to_word(value), order));
  }
  T fetch_xor(T value, labelled_order order) noexcept {
    return from_word<T>(run(kind::bit_xor, to_word(value), order));
  }
  bool compare_exchange_strong(T& expected, T desired, labelled_order success,
                               labelled_order failure) noexcept {
    operation what = make(kind::compare_exchange, to_word(desired), success);
    what.expected = to_word(expected);
    machine::current().perform(what);
    (void)failure;
    if (!what.succeeded) expected = from_word<T>(what.before);
    return what.succeeded;
  }
  bool compare_exchange_weak(T& expected, T desired, labelled_order success,
                             labelled_order failure) noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }

private:
  operation make(kind what, std::uint64_t operand, labelled_order order) const {
    return {.what = what,
            .size = sizeof(T),
            .address = const_cast<T*>(&value_),
            .operand = operand,
            .label = order.label};
  }
  std::uint64_t run(kind what, std::uint64_t operand, labelled_order order) const {
    operation made = make(what, operand, order);
    return machine::current().perform(made);
  }

  T value_{};
};

/// An ordinary variable: same costs, same lines.
template <class T>
class plain {
public:
  constexpr plain() noexcept : plain(T{}) {}
  constexpr plain(T value) noexcept : value_(value) {  // NOLINT(google-explicit-constructor): a variable
    if (!std::is_constant_evaluated()) begin_life(&value_);
  }
  plain(const plain& other) noexcept : plain(static_cast<T>(other)) {}
  plain& operator=(const plain& other) noexcept { return *this = static_cast<T>(other); }
  plain& operator=(T value) noexcept {
    operation made{.what = operation::kind::store,
                   .size = sizeof(T),
                   .address = &value_,
                   .operand = to_word(value),
                   .label = "plain"};
    machine::current().perform(made);
    return *this;
  }
  operator T() const noexcept {  // NOLINT(google-explicit-constructor): a variable
    operation made{.what = operation::kind::load,
                   .size = sizeof(T),
                   .address = const_cast<T*>(&value_),
                   .label = "plain"};
    return from_word<T>(machine::current().perform(made));
  }
  T operator->() const noexcept requires std::is_pointer_v<T> { return static_cast<T>(*this); }

private:
  T value_{};
};

/// Wait loops never spin for real: see machine::pause.
template <bool MayPark>
class spinner {
public:
  spinner() noexcept {
    if (machine::exists()) machine::current().begin_wait_loop();
  }
  spinner(const spinner&) = delete;
  spinner& operator=(const spinner&) = delete;
  ~spinner() {
    if (machine::exists()) machine::current().end_wait_loop();
  }
  void pause() noexcept { machine::current().pause(); }
  bool pause_or_park() noexcept {
    if constexpr (MayPark) {
      if (left_ == 0) return false;
      --left_;
    }
    counted_pause(1);
    return true;
  }
  /// With pauses that double, as natively.
  bool back_off_or_park() noexcept {
    const int pauses = MayPark ? std::min(left_, stretch_) : stretch_;
    if (pauses > 0) counted_pause(pauses);
    if constexpr (MayPark) {
      left_ -= pauses;
      if (pauses < stretch_) return false;
    }
    if (stretch_ < longest_stretch) stretch_ *= 2;
    return true;
  }

private:
  /// Where so many looks end in parking, none may be slept through.
  static void counted_pause(int times) noexcept {
    machine& host = machine::current();
    if (MayPark && host.in_program()) host.self().earlier_period = 0;
    host.pause(times);
  }

  static constexpr int longest_stretch = 32;
  int stretch_ = 1;
  int left_ = MayPark && machine::exists() ? machine::current().spins_before_parking() : 0;
};

/// A number for each kind of record, the same for all CPUs.
inline std::size_t next_record_kind() {
  static thread_local std::size_t next = 0;
  return next++;
}
template <class Record>
std::size_t record_kind() {
  static thread_local const std::size_t kind = next_record_kind();
  return kind;
}

/// What a lock creates and pads is a queue node, whose spacing is the machine's affair.
template <class T>
inline constexpr bool is_node = payload_bytes<T>() <= line_bytes && alignof(T) > alignof(std::max_align_t);

/// `MayPark`: wait loops that know how to park do so after a while; the code that wakes is compiled in.
template <bool MayPark>
struct basic_world {
  using checks = hemlock::checks::none;
  using spinner = sim::spinner<MayPark>;
  template <class T>
  using atomic = sim::atomic<T>;
  template <class T>
  using plain = sim::plain<T>;

  static constexpr bool may_park = MayPark;

  template <class Record>
  static Record& self() {
    machine& host = machine::current();
    auto& records = host.self().records;
    const std::size_t kind = record_kind<Record>();
    if (kind >= records.size()) records.resize(kind + 1);
    if (records[kind] == nullptr) {
      records[kind] = new (host.memory().allocate(sizeof(Record))) Record{};
      host.name_lines(records[kind], sizeof(Record), "record of CPU " + std::to_string(host.self().number));
    }
    return *static_cast<Record*>(records[kind]);
  }
  template <auto Action, class Record>
  static void at_thread_exit() {
    machine::current().self().at_exit.push_back([] { Action(self<Record>()); });
  }

  template <class T>
  static void park(const atomic<T>& word, std::type_identity_t<T> expected) noexcept {
    machine::current().park(&word, sizeof(T) < 4 ? sizeof(T) : 4, to_word(expected) & 0xffffffffU);
  }
  template <class T>
  static void unpark_one(const atomic<T>* word) noexcept {
    machine::current().unpark(word, 1);
  }
  template <class T>
  static void unpark_all(const atomic<T>* word) noexcept {
    machine::current().unpark(word, 1 << 30);
  }

  template <class T, class... Arguments>
  static T* create(Arguments&&... arguments) {
    machine& host = machine::current();
    void* const block = is_node<T> ? host.memory().allocate_node() : host.memory().allocate(sizeof(T));
    host.name_lines(block, is_node<T> ? 1 : sizeof(T),
                    host.in_program() ? "node made by CPU " + std::to_string(host.self().number) : "node");
    return new (block) T(std::forward<Arguments>(arguments)...);
  }
  template <class T>
  static void destroy(T* object) noexcept {
    if (object == nullptr) return;
    object->~T();
    arena& memory = machine::current().memory();
    is_node<T> ? memory.deallocate_node(object) : memory.deallocate(object, sizeof(T));
  }

  /// By the simulated clock.
  class patience {
  public:
    static constexpr unsigned unlocks_per_look = 32;
    mood look(const patience_limits& limits) noexcept {
      const picoseconds now = machine::current().now();
      if (exhausted_at_ == 0) {
        impatient_at_ = now + from_ns(limits.impatient_after);
        exhausted_at_ = now + from_ns(limits.exhausted_after);
      }
      if (now >= exhausted_at_) return mood::exhausted;
      if (now < impatient_at_) return mood::patient;
      impatient_at_ = now + from_ns(limits.impatient_again_after);
      return mood::impatient;
    }

  private:
    picoseconds impatient_at_ = 0;
    picoseconds exhausted_at_ = 0;
  };
  static void give_way() noexcept {}  // each thread has a CPU of its own

  template <class Condition>
  static void expect(Condition) noexcept {}

  /// A mutex and a condition variable as a C library makes them from a futex: spins little, sleeps, wakes.
  class monitor {
  public:
    void lock() noexcept {
      unsigned free = 0;
      if (state_.compare_exchange_strong(free, 1, order::acquire<"monitor">, order::relaxed<"monitor">))
        return;
      while (state_.exchange(2, order::acquire<"monitor">) != 0) park(state_, 2U);
    }
    void unlock() noexcept {
      if (state_.exchange(0, order::release<"monitor">) == 2) unpark_one(&state_);
    }
    void wait() noexcept {
      const unsigned seen = changes_.load(order::relaxed<"monitor">);
      unlock();
      park(changes_, seen);
      lock();
    }
    void notify_all() noexcept {
      changes_.fetch_add(1, order::relaxed<"monitor">);
      unpark_all(&changes_);
    }

  private:
    atomic<unsigned> state_{0};
    atomic<unsigned> changes_{0};
  };

  /// Reclamation is collection here: what is retired stays until no reader can have it.
  struct reading {
    reading() noexcept { machine::current().begin_reading(); }
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;
    ~reading() { machine::current().end_reading(); }
  };
  template <class T>
  static void retire(T* object) {
    machine::current().retire([object] { destroy(object); });
  }
};

using spinning_world = basic_world<false>;
using parking_world = basic_world<true>;

static_assert(hemlock::reclaiming_world<spinning_world> && hemlock::reclaiming_world<parking_world>);

}  // namespace hemlock::sim
