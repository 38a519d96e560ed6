// hemlock list: a row per lock with all its traits and the paper's Space table.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native.hpp"

namespace hemlock::cli {
namespace {

std::vector<lock_facts> collect() {
  std::vector<lock_facts> rows;
  for_each_lock<native<waiting::automatic>>([&]<class Lock>() { rows.push_back(facts_of<Lock>()); });
  return rows;
}

void print_table(const std::vector<lock_facts>& rows) {
  for (const auto& row : rows) fmt::print("{:<18}{}\n", row.name, row.summary);
}

}  // namespace

void add_list(CLI::App& app, outcome&) {
  auto* command = app.add_subcommand("list", "Show every lock with its traits and its cost in space.");
  command->callback([] { print_table(collect()); });
}

}  // namespace hemlock::cli
