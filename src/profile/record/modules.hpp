// Which ELF object an address belongs to, noted in the file before the object can be unloaded.
#pragma once

#include <cstdint>

namespace hemlock::profile::record {

/// The address as frame(): module and offset; module 0 if it lies in no object. Takes no lock of the loader's.
std::uint64_t located(std::uintptr_t address) noexcept;

/// Whether an address is in this library's own code.
bool is_ours(std::uintptr_t address) noexcept;

void forget_modules() noexcept;

}  // namespace hemlock::profile::record
