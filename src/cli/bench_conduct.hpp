// What all benchmarks share on the command line: progress, Ctrl-C, warnings, results.
#pragma once

#include <functional>
#include <string_view>

#include "bench/setup.hpp"
#include "bench/study.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"

namespace hemlock::cli {

/// Measures and publishes. An interrupt_guard must live.
void conduct(std::string_view name, bench::study study, const bench::setup& how, const output_options& output,
             outcome& result);

/// What stands before the benchmark's name was read as belonging to a preset: said, instead of being ignored.
void refuse_early_options(const CLI::App& bench_command);

/// Runs `action`; mistakes in the user's words become wrong usage, not failures of ours.
void explaining(outcome& result, const std::function<void()>& action);

}  // namespace hemlock::cli
