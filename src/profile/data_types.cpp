#include "profile/data_types.hpp"

#include <dwarf.h>
#include <fmt/format.h>

#include <string_view>

namespace hemlock::profile {
namespace {

bool is_alias(int tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type;
}

/// The member or base class that covers a byte of an aggregate; `past` becomes the byte within it.
bool part_at(Dwarf_Die* aggregate, Dwarf_Word& past, Dwarf_Die* part, Dwarf_Die* type) {
  const bool is_union = dwarf_tag(aggregate) == DW_TAG_union_type;
  if (dwarf_child(aggregate, part) != 0) return false;
  do {
    const int tag = dwarf_tag(part);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word begin = 0;
    if (dwarf_attr(part, DW_AT_data_member_location, &attribute) == nullptr) {
      if (!is_union) continue;  // a static member
    } else if (dwarf_formudata(&attribute, &begin) != 0) {
      continue;
    }
    Dwarf_Die plain;
    Dwarf_Word size = 0;
    if (past < begin || !named_type_of(part, type) || !type_of(part, &plain) ||
        dwarf_aggregate_size(&plain, &size) != 0 || past - begin >= size)
      continue;
    past -= begin;
    return true;
  } while (dwarf_siblingof(part, part) == 0);
  return false;
}

}  // namespace

bool named_type_of(Dwarf_Die* die, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != nullptr;
}

bool type_of(Dwarf_Die* die, Dwarf_Die* type) {
  return named_type_of(die, type) && dwarf_peel_type(type, type) == 0;
}

bool is_mutex(Dwarf_Die type) {
  for (int depth = 0; depth < 8; ++depth) {
    if (const char* const name = dwarf_diename(&type)) {
      const std::string_view text{name};
      if (text.ends_with("mutex") || text.ends_with("Mutex") || text.ends_with("mutex_t") || text == "mtx_t")
        return true;
    }
    if (!is_alias(dwarf_tag(&type)) || !named_type_of(&type, &type)) return false;
  }
  return false;
}

std::optional<std::string> path_to_mutex(Dwarf_Die type, Dwarf_Word past, bool surely) {
  std::string path;
  const auto as_far_as = [&](bool mutex) { return mutex || !surely ? std::optional{path} : std::nullopt; };
  for (int depth = 0; depth < 16; ++depth) {
    if (is_mutex(type)) return as_far_as(past == 0 || !surely);
    if (dwarf_peel_type(&type, &type) != 0) break;
    if (dwarf_tag(&type) == DW_TAG_array_type) {
      Dwarf_Die element;
      Dwarf_Die plain;
      Dwarf_Word size = 0;
      if (!named_type_of(&type, &element) || !type_of(&type, &plain) ||
          dwarf_aggregate_size(&plain, &size) != 0 || size == 0)
        break;
      path += fmt::format("[{}]", past / size);
      past %= size;
      type = element;
      continue;
    }
    Dwarf_Die part;
    Dwarf_Die part_type;
    if (!part_at(&type, past, &part, &part_type)) break;
    if (dwarf_tag(&part) == DW_TAG_member && dwarf_diename(&part) != nullptr)
      path += std::string{"."} + dwarf_diename(&part);
    type = part_type;
  }
  return as_far_as(false);
}

}  // namespace hemlock::profile
