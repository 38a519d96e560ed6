// hemlock list: a row per lock with all its traits and the paper's Space table.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native_rcu.hpp"
#include "report/document.hpp"
#include "report/table.hpp"

namespace hemlock::cli {
namespace {

std::vector<lock_facts> collect() {
  std::vector<lock_facts> rows;
  for_each_lock<native_rcu<waiting::automatic>>([&]<class Lock>() { rows.push_back(facts_of<Lock>()); });
  return rows;
}

std::size_t words(std::size_t bytes) {
  return (bytes + sizeof(void*) - 1) / sizeof(void*);
}

/// As the paper writes it: E stands for one queue element.
std::string lock_words(const lock_facts& row) {
  return std::to_string(words(row.bytes_per_lock)) + (row.bytes_per_free_lock > 0 ? "+E" : "");
}
std::string element_or_zero(std::size_t bytes) {
  return bytes > 0 ? "E" : "0";
}
bool needs_init(const lock_facts& row) {
  return !row.trivially_destructible || !row.constant_initialised;
}

std::vector<std::string> policies(const lock_facts& row) {
  std::vector<std::string> known{"spin", "yield"};
  if (row.parks) known.emplace_back("park");
  known.emplace_back("auto");
  return known;
}

std::string mark(bool yes) {
  return yes ? "yes" : "-";
}

void print_traits(const std::vector<lock_facts>& rows, bool colour) {
  using report::align;
  report::table table({{"lock", align::left},
                       {"fifo", align::left},
                       {"prompt", align::left},
                       {"trivial", align::left},
                       {"context-free", align::left},
                       {"reusable", align::left},
                       {"local", align::left},
                       {"try", align::left},
                       {"park", align::left},
                       {"what it is", align::left}});
  for (const auto& row : rows)
    table.row({{std::string(row.name), report::tone::strong},
               mark(row.fifo),
               mark(row.prompt_destruction_safe),
               mark(row.trivially_destructible),
               mark(row.context_free),
               mark(row.serially_reusable),
               mark(row.local_spinning),
               mark(row.try_lock),
               mark(row.parks),
               std::string(row.summary)});
  fmt::print("{}\n", table.text(colour));
  fmt::print(
      "fifo: admission in order of arrival. prompt: the next holder may destroy it. trivial: trivially "
      "destructible.\n"
      "context-free: works with std::lock_guard. reusable: in signal handlers, with other locks. local: at "
      "most one\n"
      "thread waits on any word, whatever locks are held. try: has try_lock. park: knows the waiting policy "
      "`park`.\n\n");
}

void print_space(const std::vector<lock_facts>& rows, bool colour) {
  report::table table({{"lock", report::align::left},
                       {"lock"},
                       {"held"},
                       {"wait"},
                       {"thread"},
                       {"init"},
                       {"E"},
                       {"bytes/lock"},
                       {"bytes/thread"},
                       {"bytes/held"},
                       {"bytes/wait"}});
  for (const auto& row : rows)
    table.row({{std::string(row.name), report::tone::strong},
               lock_words(row),
               element_or_zero(row.bytes_per_held_lock),
               element_or_zero(row.bytes_per_waiter),
               std::to_string(row.words_per_thread),
               needs_init(row) ? "yes" : "-",
               row.words_per_element > 0 ? std::to_string(row.words_per_element) : "-",
               std::to_string(row.bytes_per_lock + row.bytes_per_free_lock),
               std::to_string(row.bytes_per_thread),
               std::to_string(row.bytes_per_held_lock),
               std::to_string(row.bytes_per_waiter)});
  fmt::print("{}\n", table.text(colour));
  fmt::print(
      "Space, as in the paper's table: words of the lock body, per held lock, per waiter, per thread; init: "
      "needs a\n"
      "constructor or destructor. E is a queue element; its words and the thread's are counted without "
      "padding, the bytes\n"
      "with it: what must not share a cache line is padded to {} bytes.\n",
      false_sharing_bytes);
}

nlohmann::json as_json(const lock_facts& row) {
  return {{"name", row.name},
          {"summary", row.summary},
          {"source", row.source},
          {"waiting", policies(row)},
          {"traits",
           {{"fifo", row.fifo},
            {"prompt_destruction_safe", row.prompt_destruction_safe},
            {"trivially_destructible", row.trivially_destructible},
            {"constant_initialised", row.constant_initialised},
            {"context_free", row.context_free},
            {"serially_reusable", row.serially_reusable},
            {"local_spinning", row.local_spinning},
            {"try_lock", row.try_lock},
            {"parks", row.parks}}},
          {"space",
           {{"lock_words", words(row.bytes_per_lock)},
            {"lock_owns_element", row.bytes_per_free_lock > 0},
            {"held_elements", row.bytes_per_held_lock > 0 ? 1 : 0},
            {"waiting_elements", row.bytes_per_waiter > 0 ? 1 : 0},
            {"thread_words", row.words_per_thread},
            {"element_words", row.words_per_element},
            {"init", needs_init(row)},
            {"bytes_per_lock", row.bytes_per_lock},
            {"bytes_per_free_lock", row.bytes_per_free_lock},
            {"bytes_per_held_lock", row.bytes_per_held_lock},
            {"bytes_per_waiter", row.bytes_per_waiter},
            {"bytes_per_thread", row.bytes_per_thread},
            {"bytes_of_thread_cache", row.bytes_of_thread_cache}}}};
}

void print_json(const std::vector<lock_facts>& rows, std::string_view command) {
  auto document = report::document(command);
  for (const auto& row : rows) document["locks"].push_back(as_json(row));
  fmt::print("{}\n", document.dump(2));
}

}  // namespace

void add_list(CLI::App& app, outcome& result) {
  auto* command = app.add_subcommand("list", "Show every lock with its traits and its cost in space.");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print one JSON document instead of tables.");
  command->callback([json, &result] {
    const auto rows = collect();
    if (*json) return print_json(rows, result.command);
    const bool colour = report::colour_wanted(stdout);
    print_traits(rows, colour);
    print_space(rows, colour);
  });
}

}  // namespace hemlock::cli
