// hemlock sim: the shipped locks on a simulated multiprocessor.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "bench/thread_list.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/served_locks.hpp"
#include "report/document.hpp"
#include "report/interrupt.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"
#include "sim/study.hpp"

namespace hemlock::cli {
namespace {

struct options {
  std::string machine = "intel-x5-2";
  std::string locks = "paper";
  std::string threads = "1-64x2";
  std::string wait = "spin";
  std::string contention = "maximum";
  double section_ns = 0;
  int seeds = 20;
  std::uint64_t first_seed = 1;
  bool plain = false;
  bool trace = false;
  std::string picture;
  output_options output;
};

std::vector<std::string> chosen_locks(const options& asked) {
  const auto known = sim::simulated_locks();
  const auto parking = sim::parking_locks();
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw usage_error(fmt::format("unknown lock \"{}\"; simulated are {}, or all, or paper", name,
                                    fmt::join(known, ", ")));
    if (asked.wait == "park" && std::find(parking.begin(), parking.end(), name) == parking.end())
      throw usage_error(fmt::format("{} cannot park; those that can are {}", name, fmt::join(parking, ", ")));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (std::size_t begin = 0; begin <= asked.locks.size();) {
    const std::size_t end = std::min(asked.locks.find(',', begin), asked.locks.size());
    const std::string name = asked.locks.substr(begin, end - begin);
    begin = end + 1;
    if (name == "all")
      for (const auto& each : asked.wait == "park" ? parking : known) add(std::string(each));
    else if (name == "paper")
      for (const char* each : {"mcs", "clh", "ticket", "hemlock-ctr", "hemlock-naive"}) {
        if (asked.wait != "park" || std::find(parking.begin(), parking.end(), each) != parking.end())
          add(each);
      }
    else
      add(name);
  }
  return names;
}

sim::sweep understood(const options& asked, bool takes_locks) {
  sim::sweep made;
  try {
    made.on = sim::find_profile(asked.machine);
  } catch (const sim::profile_error& error) {
    throw usage_error(error.what());
  }
  if (asked.plain) made.on = made.on.plain();
  try {
    made.threads = bench::parse_thread_list(asked.threads);
  } catch (const std::invalid_argument& error) {
    throw usage_error(error.what());
  }
  std::erase_if(made.threads, [&](int threads) { return threads > made.on.cpus(); });
  if (made.threads.empty())
    throw usage_error(fmt::format("{} has {} CPUs: fewer threads, please", made.on.name, made.on.cpus()));
  if (takes_locks) made.locks = chosen_locks(asked);
  made.seeds = asked.seeds;
  made.first_seed = asked.first_seed;
  made.waiting = asked.wait == "park" ? sim::wait_style::park : sim::wait_style::spin;
  return made;
}

sim::mutexbench mutexbench_of(const options& asked) {
  sim::mutexbench what;
  what.how = asked.contention == "moderate" ? sim::contention::moderate : sim::contention::maximum;
  what.section = sim::from_ns(asked.section_ns);
  return what;
}

/// One hand-over of each lock at the first thread count, line by line.
void print_traces(const options& asked) {
  const auto sweep = understood(asked, true);
  if (!asked.picture.empty()) report::check_writable(asked.picture);
  std::vector<sim::named_trace> all;
  for (const auto& lock : sweep.locks) {
    sim::mutexbench what = mutexbench_of(asked);
    what.lock = lock;
    what.threads = std::max(sweep.threads.front(), 3);
    what.waiting = sweep.waiting;
    auto& seen = all.emplace_back(sim::named_trace{lock, {}}).seen;
    run(sweep.on, {.seed = sweep.first_seed, .sleep = true}, what, seen);
    fmt::print("{}: A hands over to B, {} threads, {}, seed {}\n\n{}\n", lock, what.threads, sweep.on.name,
               sweep.first_seed, hand_over_table(seen));
  }
  if (!asked.picture.empty()) report::write_text(asked.picture, hand_over_picture(all));
}

/// How fast the simulator itself is: acquisitions per second of this host's CPU time.
void print_speed(const options& asked) {
  const auto sweep = understood(asked, true);
  report::table table({{"lock", report::align::left},
                       {"threads"},
                       {"simulated acquisitions"},
                       {"CPU seconds"},
                       {"per CPU second"}});
  for (const auto& lock : sweep.locks)
    for (const int threads : sweep.threads) {
      sim::mutexbench what;
      what.lock = lock;
      what.threads = threads;
      const std::clock_t begin = std::clock();
      std::uint64_t acquisitions = 0;
      for (int seed = 0; seed < asked.seeds; ++seed)
        acquisitions +=
            run(sweep.on, {.seed = sweep.first_seed + static_cast<std::uint64_t>(seed)}, what).acquisitions;
      const double seconds = std::max(1e-6, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
      table.row({lock, std::to_string(threads), std::to_string(acquisitions), fmt::format("{:.2f}", seconds),
                 fmt::format("{:.0f}", static_cast<double>(acquisitions) / seconds)});
    }
  fmt::print("{}", table.text(false));
}

template <class Study>
void conduct(const options& asked, outcome& result, bool takes_locks, int fewest_threads, Study study) {
  auto sweep = understood(asked, takes_locks);
  std::erase_if(sweep.threads, [&](int threads) { return threads < fewest_threads; });
  if (sweep.threads.empty()) throw usage_error(fmt::format("at least {} threads are needed", fewest_threads));
  asked.output.check();
  const report::interrupt_guard guard;
  auto all = report::new_results(result.command);
  const std::size_t series = takes_locks ? sweep.locks.size() : sim::all_looks.size();
  report::progress progress(static_cast<double>(sweep.threads.size() * series),
                            report::style_for(asked.output.quiet));
  bool begun = false;
  all.experiments = study(sweep, [&](const std::string& name, int threads) {
    if (begun) progress.done();
    begun = true;
    progress.begin(fmt::format("{}, {} threads", name, threads));
    return !guard.interrupted();
  });
  all.interrupted = guard.interrupted();
  asked.output.publish(all);
  if (all.interrupted) result.code = 128 + guard.signal();
}

void add_choice(CLI::App& command, options& asked, bool takes_locks) {
  command
      .add_option("-m,--machine", asked.machine,
                  "A machine that `hemlock sim machines` lists, or a profile in a .json file")
      ->capture_default_str();
  if (takes_locks) {
    command.add_option("-l,--locks", asked.locks, "Locks, comma-separated; also all and paper")
        ->capture_default_str();
    command.add_option("-w,--wait", asked.wait, "How threads wait")
        ->check(CLI::IsMember({"spin", "park"}))
        ->capture_default_str();
  }
  command.add_option("-t,--threads", asked.threads, "Thread counts, such as 1,2,4-64x2")
      ->capture_default_str();
  command.add_option("--seeds", asked.seeds, "Runs of each, which differ in who sits where and in jitter")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command.add_option("--seed", asked.first_seed, "The first seed")->capture_default_str();
  command.add_flag("--plain", asked.plain,
                   "The machine without the hypotheses about its prefetchers, stores and snoops");
}

void add_options(CLI::App& command, options& asked, bool takes_locks) {
  add_choice(command, asked, takes_locks);
  asked.output.add_to(command);
}

void print_machines(bool as_json, const std::string& typed) {
  if (as_json) {
    auto document = report::document(typed);
    for (const auto& each : sim::built_in_profiles()) {
      nlohmann::json one{{"name", each.name},
                         {"description", each.description},
                         {"sockets", each.sockets},
                         {"cores_per_socket", each.cores_per_socket},
                         {"cores_per_cluster", each.cores_per_cluster},
                         {"threads_per_core", each.threads_per_core},
                         {"protocol", name_of(each.coherence)},
                         {"atomics", each.cas_only ? "cas-only" : "native"},
                         {"stores", name_of(each.stores)},
                         {"adjacent_line_prefetch", each.adjacent_line_prefetch},
                         {"remote_read_invalidates", each.remote_read_invalidates},
                         {"node_spacing", each.node_spacing},
                         {"pipelines", each.pipelines}};
      for (std::size_t i = 0; i < sim::parameter_count; ++i) {
        const auto which = static_cast<sim::parameter>(i);
        if (!each.uses(which)) continue;
        one["times"][std::string(fact_of(which).name)] = {{"value", each[which]},
                                                          {"from", name_of(each.at(which).from)},
                                                          {"source", each.at(which).source}};
      }
      document["machines"].push_back(std::move(one));
    }
    fmt::print("{}\n", document.dump(2));
    return;
  }
  for (const auto& each : sim::built_in_profiles()) {
    fmt::print("{}: {}\n  {} sockets x {} cores{} x {} threads, {}{}, stores {}\n", each.name,
               each.description, each.sockets, each.cores_per_socket,
               each.has_clusters() ? fmt::format(" in clusters of {}", each.cores_per_cluster) : "",
               each.threads_per_core, name_of(each.coherence), each.cas_only ? ", CAS only" : "",
               name_of(each.stores));
    report::table table({{"parameter", report::align::left},
                         {"value"},
                         {"unit", report::align::left},
                         {"from", report::align::left},
                         {"source", report::align::left}});
    for (std::size_t i = 0; i < sim::parameter_count; ++i) {
      const auto which = static_cast<sim::parameter>(i);
      if (!each.uses(which)) continue;
      table.row({std::string(fact_of(which).name), fmt::format("{:g}", each[which]),
                 std::string(fact_of(which).unit), std::string(name_of(each.at(which).from)),
                 each.at(which).source});
    }
    fmt::print("{}\n", table.text(false));
  }
}

}  // namespace

void add_sim(CLI::App& app, outcome& result) {
  auto* command =
      app.add_subcommand("sim", "Run the locks on a simulated multiprocessor, and count what it does.");
  command->require_subcommand(1);

  auto* mutexbench = command->add_subcommand("mutexbench", "All threads on one lock.");
  auto asked = std::make_shared<options>();
  add_options(*mutexbench, *asked, true);
  mutexbench
      ->add_option("--contention", asked->contention,
                   "maximum: empty sections; moderate: the paper's generators")
      ->check(CLI::IsMember({"maximum", "moderate"}))
      ->capture_default_str();
  mutexbench->add_option("--section", asked->section_ns, "Further nanoseconds inside the lock")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  mutexbench->add_flag("--trace", asked->trace,
                       "Show one hand-over of each lock instead, line state by line state");
  mutexbench->add_option("--picture", asked->picture, "With --trace: draw the hand-overs as well, as SVG")
      ->type_name("FILE");
  mutexbench->callback([asked, &result] {
    if (asked->trace) return print_traces(*asked);
    if (!asked->picture.empty()) throw usage_error("--picture draws what --trace shows: give both");
    conduct(*asked, result, true, 1, [&](const sim::sweep& sweep, const sim::watcher& watch) {
      return study_mutexbench(sweep, mutexbench_of(*asked), watch);
    });
  });

  auto* multiwait = command->add_subcommand("multiwait", "A leader takes ten locks, the others one of them.");
  auto multiwait_asked = std::make_shared<options>();
  add_options(*multiwait, *multiwait_asked, true);
  multiwait->callback([multiwait_asked, &result] {
    conduct(*multiwait_asked, result, true, 2,
            [](const sim::sweep& sweep, const sim::watcher& watch) { return study_multiwait(sweep, watch); });
  });

  auto* ring = command->add_subcommand("ring", "A token around a ring of threads, by way of waiting.");
  auto ring_asked = std::make_shared<options>();
  add_options(*ring, *ring_asked, false);
  ring->callback([ring_asked, &result] {
    conduct(*ring_asked, result, false, 2,
            [](const sim::sweep& sweep, const sim::watcher& watch) { return study_ring(sweep, watch); });
  });

  auto* speed = command->add_subcommand("speed", "How many acquisitions a second the simulator makes.");
  auto speed_asked = std::make_shared<options>();
  speed_asked->threads = "32";
  add_choice(*speed, *speed_asked, true);
  speed->callback([speed_asked] { print_speed(*speed_asked); });

  auto* machines =
      command->add_subcommand("machines", "The machines we know, each number with where it comes from.");
  auto as_json = std::make_shared<bool>(false);
  machines->add_flag("--json", *as_json, "As JSON; one of its machines, changed, is a profile for --machine");
  machines->callback([as_json, &result] { print_machines(*as_json, result.command); });
}

}  // namespace hemlock::cli
