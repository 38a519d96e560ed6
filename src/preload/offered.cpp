#include "preload/offered.hpp"

#include <algorithm>
#include <cstring>

#include "hemlock/registry.hpp"
#include "preload/in_place.hpp"
#include "preload/objection.hpp"
#include "preload/world.hpp"

namespace hemlock::preload {
namespace {

template <class Lock>
bool is_zero_when_free() noexcept {
  alignas(Lock) unsigned char place[sizeof(Lock)];
  std::memset(place, 0xff, sizeof place);
  ::new (place) Lock;
  return std::all_of(place, place + sizeof place, [](unsigned char byte) { return byte == 0; });
}

/// Of the locks whose waiters sit in a ring: world.hpp sees their `grant`.
template <class Lock>
constexpr bool tells_hand_overs =
    std::is_same_v<typename Lock::per_waiter, waiter<typename Lock::world_type>>;

template <class Lock>
constinit const engine engine_of{Lock::traits.name.data(),
                                 Lock::world_type::wait_policy::name.data(),
                                 Lock::traits.fifo && !tells_hand_overs<Lock>,
                                 std::is_same_v<typename Lock::per_thread, nothing>,
                                 in_place<Lock>::acquire,
                                 in_place<Lock>::try_acquire,
                                 in_place<Lock>::acquire_until,
                                 in_place<Lock>::release};

template <class Wait>
choice choose_waiting(std::string_view name) noexcept {
  choice made;
  const bool known = with_lock<guest_world<Wait>>(name, [&]<class Lock>() {
    if constexpr (objection(facts_of<Lock>()) != nullptr)
      made.reason = objection(facts_of<Lock>());
    else if constexpr (Wait::must_park && !Lock::traits.parks)
      made.reason = "it cannot park: use spin, yield or auto";
    else if (!is_zero_when_free<Lock>())
      made.reason = "it is not all zero when free, as statically initialised mutexes are";
    else
      made.lock = &engine_of<Lock>;
  });
  if (!known) made.reason = objection(name);
  if (made.lock == nullptr && made.reason == nullptr) made.reason = "there is no such lock";
  return made;
}

}  // namespace

bool is_waiting_policy(std::string_view name) noexcept {
  return name == waiting::spin::name || name == waiting::yield::name || name == waiting::park::name ||
         name == waiting::automatic::name;
}

choice choose(std::string_view lock, std::string_view wait) noexcept {
  if (wait == waiting::spin::name) return choose_waiting<waiting::spin>(lock);
  if (wait == waiting::yield::name) return choose_waiting<waiting::yield>(lock);
  if (wait == waiting::park::name) return choose_waiting<waiting::park>(lock);
  return choose_waiting<waiting::automatic>(lock);
}

std::size_t list_offered(char* text, std::size_t size) noexcept {
  std::size_t length = 0;
  for_each_lock<guest_world<waiting::automatic>>([&]<class Lock>() {
    constexpr std::string_view name = Lock::traits.name;
    if (objection(facts_of<Lock>()) != nullptr || length + name.size() + 2 > size) return;
    if (length > 0) text[length++] = ' ';
    length += name.copy(text + length, name.size());
  });
  text[length] = '\0';
  return length;
}

}  // namespace hemlock::preload
