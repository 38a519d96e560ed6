// The World: all that a lock algorithm needs from outside.
//
// Every lock is a template over a World and touches shared memory, its thread and the scheduler only through
// it. The native World ships; the checked World explores every interleaving of the same code; the simulated
// World runs it on a modelled multiprocessor; the counting World tallies what it does.
//
//   atomic<T>          std::atomic's interface; every operation is given an order with a label (order.hpp)
//   plain<T>           an ordinary variable that the lock itself protects; assign it, read it by conversion
//   self<Record>()     this thread's record of that kind: zero-initialised, gone when the thread ends
//   at_thread_exit<f, Record>()
//                      f(Record&) runs once when this thread ends, before its record is gone
//   spinner            one object per wait loop: pause() between two looks; pause_or_park() likewise, but false
//                      when the thread should park instead
//   may_park           whether pause_or_park() can ever return false, at compile time
//   park(w, v)         sleep if w == v (the low 32 bits are compared), until unparked; may return for no reason
//   unpark_one(&w)     wake one, or all, who sleep on that address. The address is only a name: the word may
//   unpark_all(&w)     already be freed
//   create<T>(...)     allocate, constructing from the arguments; destroy(p) gives it back
//   monitor            a mutex and a condition variable: lock, unlock, wait, notify_all; zero-initialised
//   expect(f)          an assertion: f() is true. Looked at by the checked World and debug builds only
//   checks             debug checks on ownership (checks.hpp)
//
// A World may also offer safe memory reclamation (reclaiming_world) and time (timed_world).
#pragma once

#include <concepts>
#include <cstdint>

#include "order.hpp"

namespace hemlock {

namespace detail {
struct probe_record {
  int field;
};
inline void probe_exit(probe_record&) {
}
}  // namespace detail

template <class W>
concept world = requires(typename W::template atomic<std::uintptr_t>& word, typename W::spinner& wait,
                         typename W::monitor& monitor, std::uintptr_t value) {
  word.load(order::acquire<"probe">);
  word.store(value, order::release<"probe">);
  { word.exchange(value, order::acq_rel<"probe">) } -> std::same_as<std::uintptr_t>;
  {
    word.compare_exchange_strong(value, value, order::acq_rel<"probe">, order::relaxed<"probe">)
    } -> std::same_as<bool>;
  { word.fetch_add(value, order::acq_rel<"probe">) } -> std::same_as<std::uintptr_t>;
  typename W::template plain<int>;
  { W::template self<detail::probe_record>() } -> std::same_as<detail::probe_record&>;
  W::template at_thread_exit<&detail::probe_exit, detail::probe_record>();
  wait.pause();
  { wait.pause_or_park() } -> std::same_as<bool>;
  { W::may_park } -> std::convertible_to<bool>;
  W::park(word, value);
  W::unpark_one(&word);
  W::unpark_all(&word);
  { W::template create<int>() } -> std::same_as<int*>;
  W::destroy(static_cast<int*>(nullptr));
  monitor.lock();
  monitor.wait();
  monitor.notify_all();
  monitor.unlock();
  W::expect([] { return true; });
  typename W::checks::life;
};

/// Safe memory reclamation: while a thread has a `reading` object, nothing retired meanwhile is freed.
template <class W>
concept reclaiming_world = world<W> && requires(int* object) {
  typename W::reading;
  W::retire(object);
};

/// How long somebody is kept waiting, in nanoseconds.
struct patience_limits {
  std::uint32_t impatient_after = 0;
  std::uint32_t impatient_again_after = 0;  ///< between two looks that find it impatient; patient meanwhile
  std::uint32_t exhausted_after = 0;
};
enum class mood : std::uint8_t { patient, impatient, exhausted };

/// Time, for locks that bound a wait or let it end.
///
///   patience            how long somebody has been waiting: the clock starts with the first look()
///   give_way()          offers this CPU to whoever else can run on it
///   deadline            a point in time, on a clock it knows
///   passed(d)           whether it is over
///   park_until(w, v, d) as park(), but false when it ended because d had passed
template <class W>
concept timed_world = world<W> &&
    requires(typename W::patience& patience, const typename W::deadline& deadline,
             const typename W::template atomic<std::uint32_t>& word) {
  { patience.look(patience_limits{}) } -> std::same_as<mood>;
  requires W::patience::unlocks_per_look >
  0;  // the clock may be too dear to be read each time
  W::give_way();
  { W::passed(deadline) } -> std::same_as<bool>;
  { W::park_until(word, std::uint32_t{0}, deadline) } -> std::same_as<bool>;
};

}  // namespace hemlock
