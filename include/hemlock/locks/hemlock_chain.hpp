// hemlock-chain: Hemlock in which a waiter hangs an element of its own, kept in its stack frame, on its predecessor's
// chain, and waits on that element. Waiting is purely local, whatever locks are held, and the unlocking thread
// knows whom to wake: choose it for parking. Waiting Strategies.
//
// Words
//   Tail   null            nobody holds the lock or waits for it
//          a record        its thread arrived last
//          written by arriving threads (SWAP) and by a holder without successor (CAS to null)
//   Chain  the elements of this thread's immediate successors, one per contended lock that it holds or waits for;
//          pushed by successors (CAS), detached (SWAP) and given back (CAS) by its own thread
//   element.lock, element.next   written by the waiter before the push; next also by the record's thread after it
//          has detached the chain
//   element.granted              a baton
//
// Invariants
//   I1  Tail is null only if no thread has arrived without having left.
//   I2  At most one element in a thread's chain names a given lock.
//   I3  Only its own thread takes elements from a chain, so a CAS that pushes cannot be fooled by an element that went
//       and came back.
//   I4  When unlock returns, the successor has done with our record: it waits on its own element.
//
// Orders (those of the baton stand in baton.hpp)
//   label       operation               order    partner  if it were weaker
//   arrive      SWAP of Tail            acq_rel  depart   the section before an uncontended hand-over is not seen;
//                                                arrive   the successor reaches a record that is not yet made
//   arrive-not  CAS of Tail, failure    relaxed  -
//   top         load of Chain           relaxed  -        only the first guess of push
//   push        CAS of Chain, success   release  detach   the element is scanned before it is written
//   push-not    CAS of Chain, failure   relaxed  -
//   depart      CAS of Tail, success    release  arrive   our section is not seen by the next to arrive
//   depart-not  CAS of Tail, failure    relaxed  -
//   detach      SWAP of Chain           acquire  push     as `push`
//
// Promises: FIFO in the order of arrive. Lockout-free; a contended unlock may wait for the successor to push, but
// needs no answer. unlock never touches the lock after depart or the baton's pass, so the next holder may
// destroy it.
#pragma once

#include "../world/order.hpp"
#include "baton.hpp"
#include "lock_facade.hpp"

namespace hemlock {

template <class World>
class hemlock_chain : public lock_facade<hemlock_chain<World>, World> {
  template <class T>
  using atomic = typename World::template atomic<T>;
  template <class T>
  using plain = typename World::template plain<T>;
  struct waiting;
  using element = padded<waiting>;
  struct waiting {
    baton<World> granted;
    plain<const hemlock_chain*> lock{nullptr};
    plain<element*> next{nullptr};
  };
  struct thread {
    atomic<element*> chain{nullptr};
  };

public:
  using per_thread = padded<thread>;
  using per_waiter = element;
  static constexpr lock_traits traits{.name = "hemlock-chain",
                                      .summary = "waiters hang their own element on the predecessor's chain",
                                      .source = "Appendix: Waiting Strategies",
                                      .doorstep = "arrive",
                                      .hand_over = "baton-pass",
                                      .fifo = true,
                                      .local_spinning = true,
                                      .parks = true};

  constexpr hemlock_chain() noexcept = default;

  void acquire() noexcept {
    per_thread* const pred = tail_.exchange(&World::template self<per_thread>(), order::acq_rel<"arrive">);
    if (pred != nullptr) [[unlikely]]
      wait_behind(*pred);
  }

  [[nodiscard]] bool try_acquire() noexcept {
    per_thread* nobody = nullptr;
    return tail_.compare_exchange_strong(nobody, &World::template self<per_thread>(),
                                         order::acq_rel<"arrive">, order::relaxed<"arrive-not">);
  }

  void release() noexcept {
    per_thread& self = World::template self<per_thread>();
    per_thread* last = &self;
    // Strong: a spurious failure would look like a successor, who then never pushes.
    if (!tail_.compare_exchange_strong(last, nullptr, order::release<"depart">, order::relaxed<"depart-not">))
        [[unlikely]] {
      World::expect([&] { return last != nullptr; });  // I1
      pass_on(self);
    }
  }

private:
  [[gnu::cold, gnu::noinline]] void wait_behind(per_thread& pred) noexcept {
    element mine;
    mine.lock = this;
    push(pred, &mine, &mine);
    mine.granted.await();
  }

  /// Puts the list from `first` to `last` on a thread's chain.
  static void push(per_thread& thread, element* first, element* last) noexcept {
    element* top = thread.chain.load(order::relaxed<"top">);
    do last->next = top;
    while (!thread.chain.compare_exchange_strong(top, first, order::release<"push">,
                                                 order::relaxed<"push-not">));
  }

  [[gnu::cold, gnu::noinline]] void pass_on(per_thread& self) noexcept {
    typename World::spinner wait;
    while (true) {
      element* const detached = self.chain.exchange(nullptr, order::acquire<"detach">);
      if (element* const successor = extract(self, detached)) return successor->granted.pass();  // I4
      wait.pause();
    }
  }

  /// The element that names this lock, if it is in the detached list; the others go back to the chain.
  element* extract(per_thread& self, element* detached) noexcept {
    element* found = nullptr;
    element* first_other = nullptr;
    element* last_other = nullptr;
    for (element* one = detached; one != nullptr;) {
      element* const next = one->next;
      if (one->lock == this) {
        found = one;  // I2
      } else {
        one->next = first_other;
        if (first_other == nullptr) last_other = one;
        first_other = one;
      }
      one = next;
    }
    if (first_other != nullptr) push(self, first_other, last_other);
    return found;
  }

  atomic<per_thread*> tail_{nullptr};
};

}  // namespace hemlock
