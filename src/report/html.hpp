// Results as one file that opens from disk without a network: the chart library, the style and the data inside.
#pragma once

#include <string>
#include <string_view>

#include "report/experiment.hpp"

namespace hemlock::report {

/// `before`: cards that stand before those of the experiments, as HTML.
std::string html_of(const results& all, std::string_view before = {});

/// The files that the page carries, put into the program at build time.
namespace asset {
extern const std::string_view chart_js;
extern const std::string_view page_css;
extern const std::string_view page_js;
}  // namespace asset

}  // namespace hemlock::report
