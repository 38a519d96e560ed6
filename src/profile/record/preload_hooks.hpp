// The preload library's hooks, filled in with the recorder: what makes libhemlock-preload-profile.so.
#pragma once

#include "preload/engine.hpp"
#include "preload/layout.hpp"
#include "profile/record/recorder.hpp"

namespace hemlock::preload {

namespace hooks {

inline constexpr bool recording = true;

[[gnu::always_inline]] inline profile::record::subject subject_of(mutex_body& body) noexcept {
  return {reinterpret_cast<std::uintptr_t>(&body), &body.recorder_word,
          static_cast<std::uint32_t>(body.kind.load(std::memory_order_relaxed))};
}

inline void acquired(mutex_body& body) noexcept {
  profile::record::acquired(subject_of(body), true);
}
[[gnu::always_inline]] inline bool acquired_simply(mutex_body& body) noexcept {
  return profile::record::acquired_simply(subject_of(body));
}
[[gnu::always_inline]] inline bool releasing_simply(mutex_body& body) noexcept {
  return profile::record::releasing_simply(subject_of(body));
}

inline std::uint64_t condition_wait_begins() noexcept {
  return profile::record::condition_wait_begins();
}
inline void condition_wait_ended(mutex_body& body, std::uint64_t since) noexcept {
  profile::record::condition_wait_ended(subject_of(body), since);
}
inline void chosen(const engine* lock) noexcept {
  if (lock != nullptr) profile::record::describe(lock->lock, lock->wait);
}
inline void in_the_child() noexcept {
  profile::record::start_anew();
}
inline void at_the_end() noexcept {
  profile::record::finish();
}

}  // namespace hooks

/// An engine that tells the recorder.
template <class Engine>
struct hooked {
  static constexpr bool keeps_owner = Engine::keeps_owner;

  [[gnu::always_inline]] static void acquire(mutex_body& body) noexcept {
    if (Engine::try_acquire(body)) [[likely]]
      return profile::record::acquired(hooks::subject_of(body), true);
    wait(body);
  }
  [[gnu::always_inline]] static bool try_acquire(mutex_body& body) noexcept {
    if (!Engine::try_acquire(body)) [[unlikely]] {
      profile::record::try_failed(hooks::subject_of(body));
      return false;
    }
    profile::record::acquired(hooks::subject_of(body), false);
    return true;
  }
  static bool acquire_until(mutex_body& body, const deadline& limit) noexcept {
    const auto subject = hooks::subject_of(body);
    profile::record::try_failure_was_none(subject);
    profile::record::waiting wait(subject);
    const bool taken = Engine::acquire_until(body, limit);
    taken ? wait.acquired() : wait.gave_up();
    return taken;
  }
  [[gnu::always_inline]] static void release(mutex_body& body) noexcept {
    profile::record::releasing(hooks::subject_of(body));
    Engine::release(body);
  }

private:
  [[gnu::noinline]] static void wait(mutex_body& body) noexcept {
    profile::record::waiting wait(hooks::subject_of(body));
    Engine::acquire(body);
    wait.acquired();
  }
};

}  // namespace hemlock::preload
