#include "profile/data_names.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "profile/data_types.hpp"

namespace hemlock::profile {
namespace {

struct variable {
  Dwarf_Die die;
  std::string name;
  Dwarf_Word past;  ///< how far into it the address lies
};

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

}  // namespace

std::string variable_path(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    variable found{};
    Dwarf_Die type;
    if (search(unit, "", address - bias, found) && named_type_of(&found.die, &type))
      return found.name + path_to_mutex(type, found.past, false).value_or("");
  }
  return "";
}

}  // namespace hemlock::profile
