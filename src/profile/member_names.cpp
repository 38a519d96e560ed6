#include "profile/member_names.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "profile/data_types.hpp"

namespace hemlock::profile {
namespace {

struct scopes {
  scopes(Dwarf_Die* raw, int number) : all{raw, &std::free}, count{number} {}
  std::unique_ptr<Dwarf_Die, decltype(&std::free)> all;
  int count;
};

/// What encloses a place in the code, innermost first: blocks, inlined functions, the function itself.
scopes around(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Die* raw = nullptr;
  const int count = dwarf_getscopes(unit, address, &raw);
  const scopes found{raw, count};
  Dwarf_Die* nested = nullptr;
  const int all = count > 0 ? dwarf_getscopes_die(raw, &nested) : 0;
  return scopes{nested, all};
}

/// Where a function's variables are counted from, as a distance from the canonical frame address.
std::optional<std::int64_t> frame_base(const scopes& all, Dwarf_Addr address) {
  for (int i = 0; i < all.count; ++i) {
    Dwarf_Die* const scope = all.all.get() + i;
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t length = 0;
    if (dwarf_tag(scope) != DW_TAG_subprogram ||
        dwarf_getlocation_addr(dwarf_attr_integrate(scope, DW_AT_frame_base, &attribute), address,
                               &operations, &length, 1) < 1 ||
        length != 1)
      continue;
    if (operations[0].atom == DW_OP_call_frame_cfa) return 0;
    // The frame pointer, which the prologue sets below the return address and the caller's own.
    if (operations[0].atom == DW_OP_reg6) return -16;
  }
  return std::nullopt;
}

/// How far past what a variable points to the mutex lies, if the variable is where the clue is.
std::optional<Dwarf_Word> distance(Dwarf_Die* variable, Dwarf_Addr address, const clue& found,
                                   std::optional<std::int64_t> base) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t length = 0;
  if (dwarf_getlocation_addr(dwarf_attr(variable, DW_AT_location, &attribute), address, &operations, &length,
                             1) < 1 ||
      length == 0)
    return std::nullopt;
  const auto [atom, number, number2, offset] = operations[0];
  const auto in_register = static_cast<unsigned>(found.where);
  if (length == 1 && found.where >= 0 && atom == DW_OP_reg0 + in_register) return found.past;
  if (length == 1 && found.where < 0 && atom == DW_OP_fbreg && base &&
      static_cast<std::int64_t>(number) + *base == found.where)
    return found.past;
  // So many bytes past a register.
  if (length == 2 && found.where >= 0 && atom == DW_OP_breg0 + in_register &&
      operations[1].atom == DW_OP_stack_value && number <= found.past)
    return found.past - number;
  return std::nullopt;
}

bool points_to(Dwarf_Die* variable, Dwarf_Die* type) {
  if (!type_of(variable, type)) return false;
  const int tag = dwarf_tag(type);
  if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type)
    return false;
  if (!named_type_of(type, type) || is_mutex(*type) || dwarf_peel_type(type, type) != 0) return false;
  return dwarf_tag(type) == DW_TAG_structure_type || dwarf_tag(type) == DW_TAG_class_type ||
         dwarf_tag(type) == DW_TAG_union_type;
}

/// A declaration, as in a header that other files define: the same class is defined elsewhere in the module. That is
/// not looked for: the frame of the class's own function has the definition.
bool is_declaration(Dwarf_Die* type) {
  return dwarf_hasattr(type, DW_AT_declaration) != 0;
}

std::string class_name(Dwarf_Die* type) {
  Dwarf_Die* raw = nullptr;
  const int count = dwarf_getscopes_die(type, &raw);
  const scopes outer{raw, count};
  std::string name;
  for (int i = outer.count - 1; i >= 0; --i) {
    Dwarf_Die* const scope = outer.all.get() + i;
    if (i > 0 && dwarf_tag(scope) != DW_TAG_namespace && dwarf_tag(scope) != DW_TAG_class_type &&
        dwarf_tag(scope) != DW_TAG_structure_type)
      continue;
    const char* const part = dwarf_diename(scope);
    if (part == nullptr && i > 0) continue;
    name += part == nullptr ? "(anonymous)" : part;
    if (i > 0) name += "::";
  }
  return name;
}

}  // namespace

std::string member_name(Dwfl_Module* module, Dwarf_Addr address, const clue& found) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) return "";
  const Dwarf_Addr where = address - bias;
  const scopes all = around(unit, where);
  const auto base = frame_base(all, where);
  for (int i = 0; i < all.count; ++i) {
    Dwarf_Die child;
    if (dwarf_child(all.all.get() + i, &child) != 0) continue;
    do {
      Dwarf_Die type;
      const int tag = dwarf_tag(&child);
      if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_variable) || !points_to(&child, &type) ||
          is_declaration(&type))
        continue;
      const auto past = distance(&child, where, found, base);
      if (!past) continue;
      if (auto path = path_to_mutex(type, *past, true); path && !path->empty())
        return class_name(&type) + "::" + path->substr(path->front() == '.' ? 1 : 0);
    } while (dwarf_siblingof(&child, &child) == 0);
    if (dwarf_tag(all.all.get() + i) == DW_TAG_subprogram) break;
  }
  return "";
}

}  // namespace hemlock::profile
