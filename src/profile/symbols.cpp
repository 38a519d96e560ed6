#include "profile/symbols.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "profile/data_names.hpp"
#include "profile/member_names.hpp"

namespace hemlock::profile {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain{
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free};
  return status == 0 && plain ? plain.get() : name;
}

std::string name_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (dwarf_attr_integrate(die, kind, &attribute) != nullptr)
      if (const char* mangled = dwarf_formstring(&attribute)) return demangled(mangled);
  const char* const name = dwarf_diename(die);
  return name == nullptr ? "" : name;
}

std::string file_name(const char* path) {
  return path == nullptr ? "" : std::filesystem::path{path}.filename().string();
}

bool is_function(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

int call_line(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Word line = 0;
  if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) != 0) return 0;
  return static_cast<int>(line);
}

std::string call_file(Dwarf_Die* die, Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &number) != 0 ||
      dwarf_getsrcfiles(unit, &files, nullptr) != 0)
    return "";
  return file_name(dwarf_filesrc(files, number, nullptr, nullptr));
}

/// The function at an address and those that it was inlined into, innermost first.
std::vector<code_frame> inlined_chain(Dwfl_Module* module, Dwarf_Addr address) {
  std::vector<code_frame> chain;
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) return chain;
  Dwarf_Die* raw = nullptr;
  const int around = dwarf_getscopes(unit, address - bias, &raw);
  const std::unique_ptr<Dwarf_Die, decltype(&std::free)> scopes{raw, &std::free};
  int innermost = 0;
  while (innermost < around && !is_function(raw + innermost)) ++innermost;
  if (innermost >= around) return chain;
  Dwarf_Die* nested = nullptr;
  const int count = dwarf_getscopes_die(raw + innermost, &nested);
  const std::unique_ptr<Dwarf_Die, decltype(&std::free)> nesting{nested, &std::free};
  std::string file;
  int line = 0;
  if (Dwfl_Line* const source = dwfl_module_getsrc(module, address))
    file = file_name(dwfl_lineinfo(source, nullptr, &line, nullptr, nullptr, nullptr));
  for (int i = 0; i < count; ++i) {
    if (!is_function(nested + i)) continue;
    const bool inlined = dwarf_tag(nested + i) == DW_TAG_inlined_subroutine;
    chain.push_back({name_of(nested + i), file, line, inlined, true});
    if (!inlined) break;
    file = call_file(nested + i, unit);
    line = call_line(nested + i);
  }
  return chain;
}

const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                  dwfl_offline_section_address, nullptr};

}  // namespace

struct symbolizer::object {
  std::unique_ptr<Dwfl, decltype(&dwfl_end)> session{nullptr, &dwfl_end};
  Dwfl_Module* module = nullptr;
  Dwarf_Addr bias = 0;  ///< from the file's addresses to the session's
  std::string name;
};

struct symbolizer::implementation {
  const std::map<std::uint32_t, module_record>& modules;
  std::map<std::uint32_t, object> objects;
  std::map<std::tuple<std::uint64_t, std::int16_t, std::uint32_t>, std::string> members;
  std::vector<std::string> complaints;
};

symbolizer::symbolizer(const std::map<std::uint32_t, module_record>& modules)
    : all_{std::make_unique<implementation>(implementation{modules, {}, {}, {}})} {
}
symbolizer::~symbolizer() = default;

const std::vector<std::string>& symbolizer::complaints() const {
  return all_->complaints;
}

symbolizer::object* symbolizer::find(std::uint32_t number) {
  const auto known = all_->objects.find(number);
  if (known != all_->objects.end()) return &known->second;
  const auto listed = all_->modules.find(number);
  if (listed == all_->modules.end()) return nullptr;
  const module_record& record = listed->second;
  object& made = all_->objects[number];
  made.name = file_name(record.path);
  if (record.path[0] != '/') return &made;  // the kernel's own
  made.session.reset(dwfl_begin(&callbacks));
  if (!made.session) return &made;
  dwfl_report_begin(made.session.get());
  Dwfl_Module* const module = dwfl_report_elf(made.session.get(), record.path, record.path, -1, 0, true);
  dwfl_report_end(made.session.get(), nullptr, nullptr);
  if (module == nullptr || dwfl_module_getelf(module, &made.bias) == nullptr) {
    all_->complaints.push_back(fmt::format("{} cannot be read: its functions have no names", record.path));
    return &made;
  }
  const unsigned char* id = nullptr;
  GElf_Addr where = 0;
  const int size = dwfl_module_build_id(module, &id, &where);
  if (record.build_id_size > 0 && size > 0 &&
      (static_cast<std::uint32_t>(size) != record.build_id_size ||
       std::memcmp(id, record.build_id, record.build_id_size) != 0)) {
    all_->complaints.push_back(fmt::format(
        "{} is not the file that was recorded (its build id differs): its functions have no names",
        record.path));
    return &made;
  }
  made.module = module;
  return &made;
}

std::vector<code_frame> symbolizer::code(std::uint64_t frame) {
  const std::uint64_t offset = offset_of(frame);
  object* const found = find(module_of(frame));
  if (found == nullptr) return {{fmt::format("{:#x}", offset), "", 0, false, false}};
  if (found->module != nullptr && offset > 0) {
    const Dwarf_Addr address = offset - 1 + found->bias;
    auto chain = inlined_chain(found->module, address);
    if (!chain.empty() && !chain.front().function.empty()) return chain;
    if (const char* symbol = dwfl_module_addrname(found->module, address))
      return {{demangled(symbol), "", 0, false, true}};
  }
  return {{fmt::format("{}+{:#x}", found->name, offset), "", 0, false, false}};
}

std::string symbolizer::data(std::uint64_t origin) {
  object* const found = find(module_of(origin));
  if (found == nullptr || found->module == nullptr) return "";
  const Dwarf_Addr address = offset_of(origin) + found->bias;
  if (auto path = variable_path(found->module, address); !path.empty()) return path;
  GElf_Off past = 0;
  GElf_Sym symbol{};
  const char* const name =
      dwfl_module_addrinfo(found->module, address, &past, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) == STT_FUNC ||
      past >= std::max<GElf_Off>(symbol.st_size, 1))
    return "";
  return past == 0 ? demangled(name) : fmt::format("{}+{:#x}", demangled(name), past);
}

std::string symbolizer::member(std::uint64_t frame, const clue& found) {
  object* const module = find(module_of(frame));
  const std::uint64_t offset = offset_of(frame);
  if (module == nullptr || module->module == nullptr || offset == 0) return "";
  const auto [known, fresh] = all_->members.try_emplace({frame, found.where, found.past});
  if (fresh) known->second = member_name(module->module, offset - 1 + module->bias, found);
  return known->second;
}

std::string short_function(const std::string& function) {
  std::string kept;
  int angles = 0;
  int rounds = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    if (function.compare(i, 21, "(anonymous namespace)") == 0) {
      if (angles == 0 && rounds == 0) kept += "(anonymous)";
      i += 20;
      continue;
    }
    if (function.compare(i, 8, "operator") == 0 && angles == 0 && rounds == 0) {
      kept += "operator";
      i += 7;
      if (function.compare(i + 1, 2, "()") == 0) {
        kept += "()";
        i += 2;
      }
      while (i + 1 < function.size() && std::strchr("<>=![]+-*/&|^~", function[i + 1]) != nullptr)
        kept += function[++i];
      continue;
    }
    if (c == '<') ++angles;
    if (c == '(' && angles == 0) ++rounds;
    if (angles == 0 && rounds == 0) kept += c;
    if (c == '>' && angles > 0) --angles;
    if (c == ')' && angles == 0 && rounds > 0) --rounds;
  }
  if (const auto end = kept.find(" const"); end != std::string::npos) kept.erase(end);
  if (const auto end = kept.find(" [clone"); end != std::string::npos) kept.erase(end);
  if (kept.rfind("operator", 0) != 0)
    if (const auto space = kept.rfind(' ');
        space != std::string::npos && kept.find("operator") == std::string::npos)
      kept.erase(0, space + 1);
  return kept.empty() ? function : kept;
}

}  // namespace hemlock::profile
