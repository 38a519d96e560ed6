#include "profile/data_names.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/format.h>

namespace hemlock::profile {
namespace {

struct variable {
  Dwarf_Die die;
  std::string name;
  Dwarf_Word past;  ///< how far into it the address lies
};

/// Through typedef, const and volatile.
bool type_of(Dwarf_Die* die, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) == nullptr) return false;
  return dwarf_peel_type(type, type) == 0;
}

std::string qualified(const std::string& scope, Dwarf_Die* die) {
  const char* const name = dwarf_diename(die);
  return scope + (name == nullptr ? "(anonymous)" : name);
}

bool lies_in(Dwarf_Die* die, Dwarf_Addr address, Dwarf_Word& past) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation(dwarf_attr(die, DW_AT_location, &attribute), &operations, &count) != 0 ||
      count != 1 || operations[0].atom != DW_OP_addr || address < operations[0].number)
    return false;
  Dwarf_Die type;
  Dwarf_Word size = 0;
  if (!type_of(die, &type) || dwarf_aggregate_size(&type, &size) != 0) return false;
  past = address - operations[0].number;
  return past < size;
}

bool search(Dwarf_Die* parent, const std::string& scope, Dwarf_Addr address, variable& found) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return false;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable && lies_in(&child, address, found.past)) {
      found.die = child;
      // A definition outside its class or namespace names the declaration inside.
      found.name = qualified(scope, &child);
      return true;
    }
    const bool holds_variables =
        tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
    if (holds_variables) {
      const bool names = tag != DW_TAG_lexical_block && dwarf_diename(&child) != nullptr;
      if (search(&child, names ? qualified(scope, &child) + "::" : scope, address, found)) return true;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

/// Until what lies there is the mutex itself. Its own fields, and those of std::mutex, are of no interest.
std::string descend(Dwarf_Die type, Dwarf_Word past, std::string path) {
  for (int depth = 0; depth < 16; ++depth) {
    const char* const type_name = dwarf_diename(&type);
    if (type_name != nullptr &&
        (std::string_view{type_name}.ends_with("mutex") ||
         std::string_view{type_name}.starts_with("pthread_") || std::string_view{type_name} == "mtx_t"))
      return path;
    if (dwarf_tag(&type) == DW_TAG_array_type) {
      Dwarf_Die element;
      Dwarf_Word size = 0;
      if (!type_of(&type, &element) || dwarf_aggregate_size(&element, &size) != 0 || size == 0) return path;
      path += fmt::format("[{}]", past / size);
      past %= size;
      type = element;
      continue;
    }
    Dwarf_Die member;
    if (dwarf_child(&type, &member) != 0) return path;
    bool entered = false;
    do {
      const int tag = dwarf_tag(&member);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
      Dwarf_Attribute attribute;
      Dwarf_Word begin = 0;
      if (dwarf_attr(&member, DW_AT_data_member_location, &attribute) == nullptr ||
          dwarf_formudata(&attribute, &begin) != 0)
        continue;
      Dwarf_Die member_type;
      Dwarf_Word size = 0;
      if (past < begin || !type_of(&member, &member_type) || dwarf_aggregate_size(&member_type, &size) != 0 ||
          past - begin >= size)
        continue;
      if (tag == DW_TAG_member && dwarf_diename(&member) != nullptr)
        path += std::string{"."} + dwarf_diename(&member);
      past -= begin;
      type = member_type;
      entered = true;
      break;
    } while (dwarf_siblingof(&member, &member) == 0);
    if (!entered) return path;
  }
  return path;
}

}  // namespace

std::string variable_path(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    variable found{};
    Dwarf_Die type;
    if (search(unit, "", address - bias, found) && type_of(&found.die, &type))
      return descend(type, found.past, found.name);
  }
  return "";
}

}  // namespace hemlock::profile
