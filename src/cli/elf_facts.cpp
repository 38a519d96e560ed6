#include "cli/elf_facts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace hemlock::cli {
namespace {

struct open_file {
  explicit open_file(const std::string& path) : number{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {
    if (number < 0) throw std::runtime_error{fmt::format("{}: {}", path, std::strerror(errno))};
  }
  ~open_file() { ::close(number); }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  int number;
};

std::string machine_name(unsigned number) {
  switch (number) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "i386";
    case EM_AARCH64:
      return "AArch64";
    case EM_ARM:
      return "ARM";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "POWER";
    case EM_S390:
      return "s390x";
    default:
      return fmt::format("machine {}", number);
  }
}

/// "#! /usr/bin/env python3" names /usr/bin/env.
std::string script_interpreter(int file) {
  char start[256] = {};
  if (::pread(file, start, sizeof start - 1, 0) < 3 || std::strncmp(start, "#!", 2) != 0) return "";
  std::string_view line{start + 2};
  line = line.substr(0, line.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::string{line.substr(0, line.find_first_of(" \t"))};
}

using elf_handle = std::unique_ptr<Elf, decltype(&::elf_end)>;

void read_header(Elf* elf, GElf_Ehdr& header, elf_facts& facts) {
  facts.machine = machine_name(header.e_machine);
  const open_file own{"/proc/self/exe"};
  const elf_handle tool{::elf_begin(own.number, ELF_C_READ, nullptr), ::elf_end};
  GElf_Ehdr ours{};
  facts.ours = ::gelf_getehdr(tool.get(), &ours) != nullptr && ours.e_machine == header.e_machine &&
               ::gelf_getclass(elf) == ::gelf_getclass(tool.get());
}

void read_loader(Elf* elf, int file, elf_facts& facts) {
  std::size_t count = 0;
  ::elf_getphdrnum(elf, &count);
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr part{};
    if (::gelf_getphdr(elf, static_cast<int>(i), &part) == nullptr || part.p_type != PT_INTERP) continue;
    std::string path(std::min<std::size_t>(part.p_filesz, 4096), '\0');
    if (::pread(file, path.data(), path.size(), static_cast<off_t>(part.p_offset)) < 0) return;
    facts.loader = path.c_str();
    facts.dynamic = true;
  }
}

void read_needed(Elf* elf, Elf_Data* data, const GElf_Shdr& head, elf_facts& facts) {
  for (std::size_t i = 0; i < head.sh_size / head.sh_entsize; ++i) {
    GElf_Dyn entry{};
    if (::gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr || entry.d_tag != DT_NEEDED) continue;
    if (const char* name = ::elf_strptr(elf, head.sh_link, entry.d_un.d_val)) facts.needed.emplace_back(name);
  }
}

void read_imports(Elf* elf, Elf_Data* data, const GElf_Shdr& head, elf_facts& facts) {
  for (std::size_t i = 0; i < head.sh_size / head.sh_entsize; ++i) {
    GElf_Sym symbol{};
    if (::gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr || symbol.st_shndx != SHN_UNDEF)
      continue;
    const char* name = ::elf_strptr(elf, head.sh_link, symbol.st_name);
    const std::string_view text = name == nullptr ? "" : name;
    if (text == "pthread_mutex_lock" || text == "mtx_lock") facts.calls_mutexes = true;
  }
}

void read_sections(Elf* elf, elf_facts& facts) {
  std::size_t names = 0;
  ::elf_getshdrstrndx(elf, &names);
  for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr head{};
    if (::gelf_getshdr(section, &head) == nullptr) continue;
    const char* name = ::elf_strptr(elf, names, head.sh_name);
    if (name != nullptr && std::string_view{name} == ".note.go.buildid") facts.go = true;
    if ((head.sh_type != SHT_DYNAMIC && head.sh_type != SHT_DYNSYM) || head.sh_entsize == 0) continue;
    Elf_Data* data = ::elf_getdata(section, nullptr);
    if (data == nullptr) continue;
    if (head.sh_type == SHT_DYNAMIC) read_needed(elf, data, head, facts);
    if (head.sh_type == SHT_DYNSYM) read_imports(elf, data, head, facts);
  }
}

}  // namespace

elf_facts read_elf(const std::string& path) {
  ::elf_version(EV_CURRENT);
  const open_file file{path};
  elf_facts facts;
  const elf_handle elf{::elf_begin(file.number, ELF_C_READ, nullptr), ::elf_end};
  GElf_Ehdr header{};
  if (!elf || ::elf_kind(elf.get()) != ELF_K_ELF || ::gelf_getehdr(elf.get(), &header) == nullptr) {
    facts.script_interpreter = script_interpreter(file.number);
    return facts;
  }
  facts.is_elf = true;
  read_header(elf.get(), header, facts);
  read_loader(elf.get(), file.number, facts);
  read_sections(elf.get(), facts);
  return facts;
}

std::optional<std::string> find_program(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (name.find('/') != std::string::npos)
    return fs::exists(name, ignored) ? std::optional{name} : std::nullopt;
  const char* variable = std::getenv("PATH");
  const std::string places = variable == nullptr ? "/bin:/usr/bin" : variable;
  for (std::size_t begin = 0; begin <= places.size();) {
    const auto end = std::min(places.find(':', begin), places.size());
    const auto place = fs::path{places.substr(begin, end - begin)} / name;
    if (fs::is_regular_file(place, ignored) && ::access(place.c_str(), X_OK) == 0) return place.string();
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace hemlock::cli
