// The simulated multiprocessor: CPUs that run programs as fibers, private caches, and cache lines that requests
// queue for. A discrete-event simulation: deterministic, one host thread.
//
// A program runs ahead of the event queue as long as nothing else is due before it; a miss, a full wait or an
// earlier event suspends it. What an operation does to memory happens in the engine, at the simulated moment it
// takes effect; the program is only told the result.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "sim/arena.hpp"
#include "sim/event_queue.hpp"
#include "sim/fiber.hpp"
#include "sim/hash.hpp"
#include "sim/operation.hpp"
#include "sim/profile.hpp"
#include "sim/trace.hpp"

namespace hemlock::sim {

struct cpu;
struct request;

/// A cache line: its directory entry, the requests that wait for it, and the CPUs asleep on it.
struct line {
  std::uint32_t number = 0;
  std::uint32_t requests = 0;  ///< so far; numbers each for its jitter
  directory_entry where;
  request* moving = nullptr;  ///< a transfer of ownership, or of dirty data, is under way: all others wait
  bool serve_queued = false;  ///< a `serve` event is on its way
  picoseconds free_at = 0;    ///< when the next request can be served, if not moving
  request* first = nullptr;   ///< waiting for service, in order
  request* last = nullptr;
  std::uint32_t own_wishes = 0;  ///< of those waiting, how many want ownership
  std::vector<cpu*> sleepers;
  std::uint16_t pollers[line_bytes / 8] = {};  ///< CPUs in a wait loop on each word
};

/// A cache's request for a line.
struct request {
  enum class wish : std::uint8_t { read, own };
  line* of;
  cache_id cache;
  wish what;
  bool served;
  bool had_copy;  ///< served: the data was there already, only the right to write is on its way
  request* next;
  cpu* waiting;  ///< CPUs whose operation waits for it, linked by cpu::next_waiting
};

struct buffered_store {
  operation what;
  line* of;
};

/// What a simulated CPU (a hardware thread) is doing.
struct cpu {
  std::uint32_t number = 0;
  cache_id cache = 0;
  std::int16_t socket = 0;
  double slowdown = 1;  ///< by the other threads of its core
  std::unique_ptr<fiber> program;

  operation current;     ///< what it waits for, if it does
  bool sampled = false;  ///< current: the value was taken when the request was served
  cpu* next_waiting = nullptr;
  bool waits_for_drain = false;
  bool waits_for_room = false;
  std::deque<buffered_store> buffer;
  bool pumping = false;  ///< a `pump` event is on its way

  // The wait loop it is in, if any.
  int looks = 0;           ///< operations since the last pause
  bool idle_look = false;  ///< the last one hit in its own cache and changed nothing
  operation look;
  operation earlier_look;          ///< the only one of the iteration before, if there was just one
  picoseconds earlier_period = 0;  ///< how long that iteration took; 0 if it had another shape
  picoseconds mark = 0;            ///< when the last pause ended
  line* asleep_on = nullptr;
  picoseconds next_poll = 0;
  picoseconds period = 0;
  const void* polls = nullptr;  ///< the word counted in line::pollers
  bool parked = false;

  std::vector<void*> records;       ///< by record kind
  int readings = 0;                 ///< reading objects alive
  std::uint64_t reading_since = 0;  ///< retirements before the first of them
  std::vector<std::function<void()>> at_exit;
};

/// What is counted. Offcore accesses, as the paper counts them, are reads + owns; prefetches are apart.
struct counters {
  std::uint64_t reads = 0;            ///< demand data reads that left the core
  std::uint64_t owns = 0;             ///< requests for ownership that left the core, upgrades included
  std::uint64_t upgrades = 0;         ///< of these, upgrades of a shared copy
  std::uint64_t prefetched_owns = 0;  ///< of these, those made early, while an older store was pending
  std::uint64_t prefetch_reads = 0;   ///< by the adjacent-line prefetcher
  std::uint64_t invalidations = 0;    ///< copies that others lost
  std::uint64_t operations = 0;       ///< loads, stores and RMWs, polls included
  std::uint64_t parks = 0;
  std::uint64_t wakes = 0;
  std::uint16_t most_pollers = 0;  ///< CPUs that waited on one word at one time

  [[nodiscard]] std::uint64_t offcore() const { return reads + owns; }
  counters operator-(const counters& earlier) const;
  friend bool operator==(const counters&, const counters&) = default;
};

struct machine_options {
  std::uint64_t seed = 1;
  bool sleep = true;  ///< false: every poll of a wait loop is an event of its own
  std::size_t buffer_entries = 42;
  int spins_before_parking = 200;
};

class machine {
public:
  machine(const profile& of, machine_options options);
  ~machine();
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  /// The machine whose programs this host thread is running or setting up.
  static machine& current() { return *current_; }
  static bool exists() { return current_ != nullptr; }

  /// Gives a program to hardware thread `number`; it starts at `start`.
  void run_on(int number, picoseconds start, std::function<void()> program);
  /// Runs until all programs have ended. Throws deadlock if they wait for ever.
  void run();

  // For programs.
  std::uint64_t perform(operation& what);  ///< the value before it
  void compute(picoseconds duration);
  void compute_until(picoseconds time);
  void pause(int times = 1);  ///< between two looks of a wait loop
  void begin_wait_loop();
  void end_wait_loop();
  void park(const void* word, std::uint32_t size, std::uint64_t expected);
  void unpark(const void* word, int at_most);
  void forget_stores_to(const void* place);
  void begin_reading();
  void end_reading();
  void retire(std::function<void()> give_back);
  [[nodiscard]] cpu& self() { return *running_; }
  [[nodiscard]] bool in_program() const { return running_ != nullptr; }
  [[nodiscard]] picoseconds now() const { return now_; }

  // For those who set up and those who look.
  [[nodiscard]] arena& memory() { return *arena_; }
  [[nodiscard]] const profile& shape() const { return profile_; }
  [[nodiscard]] const machine_options& options() const { return options_; }
  [[nodiscard]] counters counted() const;
  [[nodiscard]] line& line_of(const void* address);
  [[nodiscard]] std::vector<cpu>& cpus() { return cpus_; }
  void trace_to(trace* destination) { trace_ = destination; }
  /// What a trace calls the lines of a block.
  void name_lines(const void* block, std::size_t bytes, std::string name);
  [[nodiscard]] const std::map<std::uint32_t, std::string>& line_names() const { return line_names_; }
  [[nodiscard]] std::size_t node_spacing() const { return static_cast<std::size_t>(profile_.node_spacing); }
  [[nodiscard]] int spins_before_parking() const { return options_.spins_before_parking; }

  /// The hardware threads that `threads` programs get: cores before siblings, sockets and clusters
  /// evenly; who sits where
  /// depends on the seed, as if the operating system placed them freely.
  [[nodiscard]] std::vector<int> placement(int threads) const;

private:
  struct costs {
    picoseconds load_hit, store_commit, rmw_hit, pause, park, unpark, wake;
    double read[3], own[3], upgrade[3], memory;  ///< within a cluster, a socket, across
    picoseconds occupancy, conflict;
    double jitter;
  };
  struct private_cache {
    std::vector<request*> outstanding;
    std::vector<cpu*> threads;
  };

  // engine.cpp
  void dispatch(const event& what);
  void resume(cpu& who);
  void resume_at(picoseconds time, cpu& who);
  void advance(cpu& who, picoseconds duration);
  void block(cpu& who);
  [[nodiscard]] picoseconds slowed(const cpu& who, picoseconds duration) const;

  // access.cpp
  std::uint64_t perform_load(cpu& who, operation& what);
  std::uint64_t perform_store(cpu& who, operation& what);
  std::uint64_t perform_rmw(cpu& who, operation& what);
  std::uint64_t wait_for(cpu& who, line& of, request::wish wish, const operation& what);
  void pump(cpu& who);
  void commit_oldest(cpu& who);
  void changed_by_hit(line& of, cache_id by);
  void note_look(cpu& who, const operation& what, bool idle);
  void forget_polling(cpu& who);
  void record(trace_entry::step what, const cpu& who, line& of, const operation& done, bool hit);

  // coherence.cpp
  request* find_request(cache_id by, const line& of);
  enum class asker : std::uint8_t {
    program,       ///< waits for it
    oldest_store,  ///< of the buffer; the program goes on
    early,         ///< nobody can use it yet
  };
  void ask(cpu& who, line& of, request::wish wish, asker on_behalf_of);
  void prefetch_neighbour(cpu& who, line& of);
  void wait_on(request& pending, cpu& who);
  void serve(line& of);
  picoseconds serve_read(line& of, request& wants);
  picoseconds serve_own(line& of, request& wants);
  void complete(request& done);
  void finish(cpu& who, request& done);
  void disturb(line& of, cache_id cache);
  void disturb_all_but(line& of, cache_id cache);
  void wake(cpu& who);
  [[nodiscard]] int socket_of(cache_id cache) const { return cache / profile_.cores_per_socket; }
  /// How far a copy is: 0 in the cluster, 1 in the socket, 2 across.
  [[nodiscard]] int nearest(const line& of, cache_id cache) const;
  [[nodiscard]] int farthest(const line& of, cache_id cache) const;
  [[nodiscard]] picoseconds jittered(const line& of, double latency) const;

  static inline thread_local machine* current_ = nullptr;

  profile profile_;
  machine_options options_;
  costs costs_;
  std::unique_ptr<arena> arena_;
  event_queue events_;
  picoseconds now_ = 0;
  std::uint64_t now_order_ = 0;  ///< class and actor of what is happening now
  cpu* running_ = nullptr;
  int alive_ = 0;
  std::vector<cpu> cpus_;
  std::vector<private_cache> caches_;
  std::array<std::vector<std::unique_ptr<line[]>>, 3> line_pages_;  ///< by region; 64 lines each, as touched
  std::vector<std::unique_ptr<request>> request_pool_;
  std::vector<request*> free_requests_;
  std::vector<std::pair<const void*, cpu*>> parked_;
  std::deque<std::pair<std::uint64_t, std::function<void()>>> retired_;
  std::uint64_t retirements_ = 0;
  std::map<std::uint32_t, std::string> line_names_;
  counters counters_;
  trace* trace_ = nullptr;
};

/// All programs wait, and nothing is going to happen.
struct deadlock : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace hemlock::sim
