// The benchmarks by name, with their defaults, and the presets that name the paper's figures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/setup.hpp"
#include "bench/study.hpp"

namespace hemlock::bench {

/// As typed. What is absent was not asked for, so the preset's or the benchmark's own default holds.
struct request {
  std::optional<std::string> locks = {};
  std::optional<std::string> wait = {};
  std::optional<std::string> threads = {};
  std::optional<std::string> duration = {};
  std::optional<std::string> critical = {};
  std::optional<std::string> other = {};
  std::optional<std::string> pin = {};
  std::optional<std::string> variants = {};   ///< ring
  std::optional<std::string> pairs = {};      ///< condvar
  std::optional<std::size_t> buckets = {};    ///< space
  std::optional<std::uint64_t> entries = {};  ///< leveldb
  std::optional<int> runs = {};
  std::optional<int> spin_limit = {};
  std::optional<std::uint64_t> seed = {};
};

/// Which of a request's fields a benchmark understands.
struct understands {
  bool locks = true;
  bool wait = true;
  bool threads = true;
  bool sections = false;
  bool variants = false;
  bool pairs = false;
  bool buckets = false;
};

struct driver {
  std::string_view name;
  std::string_view summary;
  understands options;
  request defaults;
  study (*plan)(const setup&, const request&);
};

/// Without the one on LevelDB: that one runs itself anew under each lock, which is the command line's business.
const std::vector<driver>& all_drivers();
inline constexpr std::string_view leveldb_name = "leveldb";

/// Of a name that is known to exist.
const driver& find_driver(std::string_view name);

struct preset {
  std::string_view name;
  std::string_view driver;
  std::string_view summary;
  request values;
};

const std::vector<preset>& all_presets();

/// Throws std::invalid_argument, listing the presets.
const preset& find_preset(std::string_view name);

/// The typed values where there are any, else those of `fallback`.
request with_defaults(request typed, const request& fallback);

/// Understands a complete request. Throws std::invalid_argument with a text fit for the user.
setup understand(const request& asked, const understands& options, std::function<bool()> interrupted);

/// How long it will take, warm-ups included.
std::chrono::nanoseconds expected_time(const study& what, const setup& how);

}  // namespace hemlock::bench
