#include "profile/record/modules.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <atomic>
#include <cstring>

#include "profile/record/file.hpp"
#include "profile/record/guard.hpp"

// glibc 2.35 and later: finds the object of an address without the loader's lock. dl_iterate_phdr takes it, and a
// thread in a library's constructor may hold it while it waits for the very mutex that is being recorded.
extern "C" const ElfW(Ehdr) __ehdr_start [[gnu::visibility("hidden")]];
extern "C" const char __etext [[gnu::visibility("hidden")]];

namespace hemlock::profile::record {
namespace {

struct known_module {
  std::uintptr_t begin;
  std::uintptr_t end;
  std::uintptr_t load_address;
  const char* path;  ///< in the file
  std::uint32_t number;
};
constexpr std::uint32_t most_modules = 1016;  // what eight blocks hold
constinit known_module known[most_modules]{};
constinit std::atomic<std::uint32_t> known_count{0};
constinit std::atomic<std::uint32_t> module_guard{0};

const char* path_of(const link_map& object) noexcept {
  return object.l_name == nullptr || *object.l_name == '\0' ? header().program : object.l_name;
}

/// Newest first: an object that was unloaded and another that took its place differ in their path.
const known_module* find(const dl_find_object& object) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(object.dlfo_map_start);
  for (std::uint32_t i = known_count.load(std::memory_order_acquire); i-- > 0;)
    if (known[i].begin == begin && known[i].load_address == object.dlfo_link_map->l_addr &&
        std::strncmp(known[i].path, path_of(*object.dlfo_link_map), sizeof(module_record::path) - 1) == 0)
      return &known[i];
  return nullptr;
}

/// The GNU build id, from the notes of the object in memory.
void copy_build_id(const dl_find_object& object, module_record& into) noexcept {
  const auto* elf = static_cast<const ElfW(Ehdr)*>(object.dlfo_map_start);
  const auto mapped_size = static_cast<std::size_t>(static_cast<const char*>(object.dlfo_map_end) -
                                                    static_cast<const char*>(object.dlfo_map_start));
  if (mapped_size < sizeof *elf || std::memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0) return;
  const auto* headers =
      reinterpret_cast<const ElfW(Phdr)*>(reinterpret_cast<const char*>(elf) + elf->e_phoff);
  for (int i = 0; i < elf->e_phnum; ++i) {
    if (headers[i].p_type != PT_NOTE) continue;
    const auto* at_note =
        reinterpret_cast<const unsigned char*>(object.dlfo_link_map->l_addr + headers[i].p_vaddr);
    const unsigned char* const end = at_note + headers[i].p_memsz;
    while (at_note + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at_note);
      const unsigned char* const content = at_note + sizeof *note + ((note->n_namesz + 3) & ~3U);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz <= sizeof into.build_id) {
        std::memcpy(into.build_id, content, note->n_descsz);
        into.build_id_size = note->n_descsz;
        return;
      }
      at_note = content + ((note->n_descsz + 3) & ~3U);
    }
  }
}

const known_module* learn(const dl_find_object& object) noexcept {
  const guard held(module_guard);
  if (const known_module* found = find(object)) return found;
  const std::uint32_t count = known_count.load(std::memory_order_relaxed);
  if (count == most_modules) return nullptr;
  const place where = take<module_record>();
  if (where == 0) return nullptr;
  auto& record = at<module_record>(where);
  record.number = count + 1;
  record.load_address = object.dlfo_link_map->l_addr;
  record.begin = reinterpret_cast<std::uintptr_t>(object.dlfo_map_start);
  record.end = reinterpret_cast<std::uintptr_t>(object.dlfo_map_end);
  ::memccpy(record.path, path_of(*object.dlfo_link_map), 0, sizeof record.path - 1);
  copy_build_id(object, record);
  publish(record);
  known[count] = {record.begin, record.end, record.load_address, record.path, record.number};
  known_count.store(count + 1, std::memory_order_release);  // with find's acquire
  return &known[count];
}

}  // namespace

std::uint64_t located(std::uintptr_t address) noexcept {
  dl_find_object object{};
  if (::_dl_find_object(reinterpret_cast<void*>(address), &object) != 0) return frame(0, address);
  const known_module* module = find(object);
  if (module == nullptr) module = learn(object);
  return module == nullptr ? frame(0, address) : frame(module->number, address - module->load_address);
}

bool is_ours(std::uintptr_t address) noexcept {
  return address >= reinterpret_cast<std::uintptr_t>(&__ehdr_start) &&
         address < reinterpret_cast<std::uintptr_t>(&__etext);
}

void forget_modules() noexcept {
  module_guard.store(0, std::memory_order_relaxed);
  known_count.store(0, std::memory_order_relaxed);
}

}  // namespace hemlock::profile::record
