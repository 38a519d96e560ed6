// A profile in the forms that people and programs read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "profile/model.hpp"

namespace hemlock::profile {

struct view_options {
  std::size_t top = 10;
  order_by order = order_by::wait;
  bool colour = false;
  std::string path;  ///< for the commands to type next
};

/// At most 100 columns. First what matters, last what to type next.
std::string text_of(const profile& all, const view_options& options);
/// The first line of it.
std::string verdict_of(const profile& all, order_by order);

nlohmann::json json_of(const profile& all, const std::string& command);

/// Collapsed stacks, outermost first, as flame graph tools read them; a line's number is microseconds, rounded up.
/// By wait: where threads waited, each under "waiting for LOCK"; by hold: where locks were held.
std::string folded_of(const profile& all, order_by order);

/// The order in which locks were asked for, for Graphviz; edges of a circle are red.
std::string dot_of(const profile& all);

/// One page: the table, histograms, stacks, the lock order.
std::string html_of(const profile& all, const view_options& options);

}  // namespace hemlock::profile
