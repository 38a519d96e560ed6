// hemlock bench leveldb: the real LevelDB, with its real mutex replaced by preloading.
#pragma once

#include "bench/drivers.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"

namespace hemlock::cli {

using bench::leveldb_name;

/// The benchmark, and the hidden subcommand that it runs anew under each lock.
void add_bench_leveldb(CLI::App& bench_command, outcome& result);

void measure_leveldb(const bench::request& typed, const output_options& output, outcome& result);

}  // namespace hemlock::cli
