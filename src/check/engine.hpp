// Runs a checked program step by step: the fibers on one side, the state on the other.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "check/fiber.hpp"
#include "check/host.hpp"
#include "check/program.hpp"
#include "check/settings.hpp"
#include "check/state.hpp"

namespace hemlock::check {

/// One way to go on: a thread, and which of its possible results.
struct choice {
  std::uint8_t thread = 0;
  std::uint16_t option = 0;
  bool spurious = false;  ///< something that need never happen, so nothing may depend on it for progress
};

enum class violation_kind : std::uint8_t {
  none,
  data_race,
  use_after_free,
  assertion,
  deadlock,
  livelock,
  not_fifo,
  not_local,
  wrong_result,
  runaway,
};
const char* name_of(violation_kind kind);

struct violation {
  violation_kind kind = violation_kind::none;
  std::string text;
  explicit operator bool() const { return kind != violation_kind::none; }
};

/// What an operation was seen to be: for the report on orders.
struct operation_seen {
  action what;
  std::memory_order order;
  std::string file;  ///< where in the lock's source
  std::string function;
  std::uint32_t line = 0;
  auto operator<=>(const operation_seen&) const = default;
};

class engine final : public host {
public:
  engine(program& what, const settings& how);

  // For the explorer.
  /// The state at the start, with all threads before their first operation.
  void begin(state& root);
  void options(const state& from, std::vector<choice>& all) const;
  enum class outcome : std::uint8_t { moved, back_where_it_was, impossible, wrong };
  /// `now` becomes the successor of `from`.
  outcome step(const state& from, state& now, const choice& chosen);
  /// Asks the program's question of a state in which all threads have ended.
  [[nodiscard]] violation finish(state& end);
  [[nodiscard]] const violation& wrong() const { return wrong_; }
  /// In which words threads are waiting; told by step() returning back_where_it_was.
  [[nodiscard]] violation crowded(const state& now, const std::vector<address>& spun_on) const;
  [[nodiscard]] std::string describe_stuck(const state& now) const;
  [[nodiscard]] bool needs_restart() const { return restart_; }
  [[nodiscard]] state_key key_of(const state& now) const {
    return check::key_of(now, alike_, settings_.max_preemptions >= 0);
  }
  [[nodiscard]] const std::map<std::string, std::set<operation_seen>>& operations() const { return seen_; }

  std::vector<std::string>* trace = nullptr;  ///< steps in words, if somebody listens
  std::vector<std::string> outcomes;          ///< for programs that tell theirs at the end

  // The World's side, called on fibers.
  std::uint64_t ask(request wanted) override;
  bool ask_compare(request wanted, std::uint64_t& found) override;
  bool flip() override;
  bool deadline_passed() override;
  void new_deadline() override;
  std::uint64_t plain_read(address where, std::uint64_t initial) override;
  void plain_write(address where, std::uint64_t value) override;
  void made_atomic(address where, std::size_t bytes, std::uint64_t initial) override;
  void made_plain(address where, std::size_t bytes, std::uint64_t initial) override;
  void gone(address where) override;
  void* allocate(std::size_t bytes, std::size_t alignment) override;
  void free_block(address where) override;
  void* find_record(const void* kind) override;
  void add_record(const void* kind, void* record) override;
  void at_exit(const void* kind, void (*run)(void*), void* record) override;
  void loop_begins(address spinner) override;
  void loop_ends(address spinner) override;
  void pause(address spinner) override;
  void checkpoint(std::uint64_t position) override;
  void forget_history(address spinner) override;
  void forget_search(std::uint64_t place, std::uint64_t value) override;
  void locking(address lock) override;
  void locked(address lock) override;
  void unlocking(address lock) override;
  void gave_up(address lock, std::size_t bytes) override;
  [[nodiscard]] address lock_wanted() const override { return fibers_[running_].lock_wanted; }
  void on_signal(std::function<void()> handler, int times) override;
  [[nodiscard]] bool outside() const override { return mode_ != mode::running; }
  [[nodiscard]] bool making() const override { return mode_ == mode::making; }
  [[nodiscard]] std::uint64_t outside_load(address where, std::uint64_t initial) const override;
  void tell(std::string text) override { outcomes.push_back(std::move(text)); }
  [[nodiscard]] const mutations& changes() const override { return settings_.changes; }
  bool expected_load(address where, std::uint64_t initial, std::uint64_t& value) override;

protected:
  bool begin_expect() override;
  bool next_expect() override;
  void expectation_failed() override;

private:
  enum class mode : std::uint8_t { making, running, finishing };
  struct record {
    const void* kind;
    void* object;
    void (*at_exit)(void*);
  };
  struct thread_fiber {
    explicit thread_fiber(std::size_t index) : context(region::get().stack(index), region::stack_bytes) {}
    fiber context;
    std::vector<std::uint64_t> log;        ///< the results it has consumed
    const thread_state* source = nullptr;  ///< whose history it is fed
    bool feeding = false;
    std::size_t arena_used = 0;
    std::vector<record> records;
    address lock_wanted = 0;
    std::function<void()> handler;
    int signals_left = 0;
    int in_handler = 0;
  };

  [[nodiscard]] bool feeding() const { return fibers_[running_].feeding; }
  void restart_fiber(std::size_t thread);
  void place_fiber(const state& now, std::size_t thread);
  void enter(std::size_t thread);
  void body(std::size_t thread);
  void push(std::size_t thread, std::uint64_t result);
  void complete(std::size_t thread);
  void post(const request& wanted);
  void add_arena(fingerprint& digest) const;
  void roll_back(std::size_t thread);
  void apply(const choice& chosen);
  void apply_access(std::size_t thread, const request& wanted, std::size_t option);
  void apply_sleep(std::size_t thread, const request& wanted, const choice& chosen);
  void apply_monitor(std::size_t thread, const request& wanted, const choice& chosen);
  void wake(std::size_t thread);
  void took_doorstep(std::size_t thread, const request& wanted);
  bool thread_options(const state& from, std::size_t thread, std::vector<choice>& all) const;
  [[nodiscard]] bool can_go_on(const state& from, std::size_t thread) const;
  void count_preemption(const state& from, state& now, std::size_t thread) const;
  void note_looked(std::size_t thread, address where);
  void tell_watchers(std::size_t writer, address where);
  void trace_plain(address where, std::uint64_t value, bool writes) const;
  void trace_step(std::size_t thread, const request& wanted, const std::string& what) const;
  [[noreturn]] void fail(violation_kind kind, std::string text);
  void set_wrong(violation_kind kind, std::string text);
  void check(std::size_t thread, const request& wanted, const fault& result);
  void remember(const request& wanted);

  program& program_;
  settings settings_;
  mode mode_ = mode::making;
  state* now_ = nullptr;
  std::deque<thread_fiber> fibers_;
  std::size_t running_ = 0;
  std::size_t shared_used_ = 0;
  std::uint64_t result_ = 0;
  bool result_ok_ = false;
  bool went_back_ = false;
  bool undo_step_ = false;
  std::vector<std::pair<address, std::size_t>> setup_blocks_;
  violation wrong_;
  bool restart_ = false;
  bool keeps_events_ = false;
  symmetries alike_;
  bool uses_fences_ = false;
  bool watches_shared_ = false;
  bool expecting_ = false;
  std::vector<std::pair<std::size_t, std::size_t>> expect_choices_;  ///< taken, of how many
  std::size_t expect_cursor_ = 0;
  std::map<std::string, std::set<operation_seen>> seen_;
  std::vector<std::tuple<const char*, action, std::memory_order, std::uint32_t>> quickly_seen_;
};

}  // namespace hemlock::check
