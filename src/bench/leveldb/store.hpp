// The two halves of db_bench that the paper uses, on the real LevelDB: fillseq and readrandom, with db_bench's
// default options and record sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "bench/crew.hpp"

namespace hemlock::bench {

/// LevelDB or the disk under it refused; the text is fit for the user.
struct store_failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// db_bench's: so many records, keys of 16 digits, values of 100 bytes of which half compress away.
inline constexpr std::uint64_t default_entries = 1'000'000;

/// Writes the records in the order of their keys, until interrupted. Says so beforehand if the disk has too little
/// room.
void fill_sequentially(const std::string& directory, std::uint64_t entries,
                       const std::function<bool()>& interrupted);

/// Reads random keys from all threads; an operation is one read. Nothing if interrupted.
std::optional<run_result> read_randomly(const std::string& directory, std::uint64_t entries,
                                        const run_settings& settings);

}  // namespace hemlock::bench
