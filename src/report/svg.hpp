// A chart as an SVG file for a paper, drawn by gnuplot.
#pragma once

#include <stdexcept>
#include <string>

#include "report/experiment.hpp"

namespace hemlock::report {

/// gnuplot is missing or refused the script.
struct gnuplot_failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The script, with the data inside, that writes `svg_path`. Medians with whiskers from quartile to quartile.
std::string gnuplot_script(const experiment& one, const std::string& svg_path);

/// Runs it. Throws gnuplot_failed.
void write_svg(const experiment& one, const std::string& svg_path);

/// "mutexbench max-contention" -> "mutexbench-max-contention.svg".
std::string svg_name(const experiment& one);

}  // namespace hemlock::report
