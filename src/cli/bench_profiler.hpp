// hemlock bench profiler: what the recorder costs, against the preload library without it.
#pragma once

#include "cli/command.hpp"

namespace hemlock::cli {

/// The benchmark, and the hidden subcommand that it runs anew under each library.
void add_bench_profiler(CLI::App& bench_command, outcome& result);

}  // namespace hemlock::cli
