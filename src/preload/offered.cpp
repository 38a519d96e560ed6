#include "preload/offered.hpp"

#include <algorithm>
#include <cstring>

#include "hemlock/registry.hpp"
#include "preload/in_place.hpp"
#include "preload/world.hpp"

namespace hemlock::preload {
namespace {

/// Why a lock cannot live in a pthread_mutex_t; null if it can.
template <class Lock>
constexpr const char* objection() {
  if (!Lock::traits.prompt_destruction_safe)
    return "its unlock may look at the lock when the next holder has already destroyed it";
  if (!Lock::traits.context_free)
    return "its unlock needs what its lock kept, and pthread_mutex_unlock has no room for it";
  if (!std::is_trivially_destructible_v<Lock>)
    return "a lock that nobody holds owns memory, and std::mutex never calls pthread_mutex_destroy to give "
           "it back";
  if (!constant_initialised<Lock>) return "it must be constructed, and static initialisers do not do that";
  if (!has_try_lock<Lock>) return "it has no try_lock, so pthread_mutex_trylock would have nothing to call";
  if (sizeof(Lock) > sizeof(mutex_body::lock))
    return "it does not fit in a pthread_mutex_t beside what must be there";
  return nullptr;
}

template <class Lock>
bool is_zero_when_free() noexcept {
  alignas(Lock) unsigned char place[sizeof(Lock)];
  std::memset(place, 0xff, sizeof place);
  ::new (place) Lock;
  return std::all_of(place, place + sizeof place, [](unsigned char byte) { return byte == 0; });
}

template <class Lock>
constinit const engine engine_of{Lock::traits.name.data(),    Lock::world_type::wait_policy::name.data(),
                                 Lock::traits.fifo,           in_place<Lock>::acquire,
                                 in_place<Lock>::try_acquire, in_place<Lock>::acquire_until,
                                 in_place<Lock>::release};

template <class Wait>
choice choose_waiting(std::string_view name) noexcept {
  choice made;
  const bool known = with_lock<guest_world<Wait>>(name, [&]<class Lock>() {
    if constexpr (objection<Lock>() != nullptr)
      made.reason = objection<Lock>();
    else if constexpr (Wait::must_park && !Lock::traits.parks)
      made.reason = "it cannot park: use spin, yield or auto";
    else if (!is_zero_when_free<Lock>())
      made.reason = "it is not all zero when free, as statically initialised mutexes are";
    else
      made.lock = &engine_of<Lock>;
  });
  if (!known) made.reason = "there is no such lock here";
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
    if (objection<Lock>() != nullptr || length + name.size() + 2 > size) return;
    if (length > 0) text[length++] = ' ';
    length += name.copy(text + length, name.size());
  });
  text[length] = '\0';
  return length;
}

}  // namespace hemlock::preload
