#include "report/svg.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cctype>
#include <cstdio>
#include <set>

#include "report/statistics.hpp"
#include "report/table.hpp"

namespace hemlock::report {
namespace {

/// In single quotes gnuplot knows one escape only: a doubled quote.
std::string quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text)
    safe += c == '\'' ? std::string{"''"} : c == '\n' ? std::string{" "} : std::string{c};
  return safe + "'";
}

std::string axis_label(const axis& one) {
  return one.unit.empty() || one.unit == one.name ? one.name : fmt::format("{} [{}]", one.name, one.unit);
}

}  // namespace

std::string svg_name(const experiment& one) {
  std::string name;
  for (const char c : one.name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '.' || c == '_')
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  return (name.empty() ? "chart" : name) + ".svg";
}

std::string gnuplot_script(const experiment& one, const std::string& svg_path) {
  std::set<double> places;
  std::string blocks;
  std::string plots;
  const auto count = static_cast<double>(one.series.size());
  for (std::size_t i = 0; i < one.series.size(); ++i) {
    blocks += fmt::format("$series{} << EOD\n", i);
    bool any = false;
    for (const auto& at : one.series[i].points) {
      if (at.samples.empty()) continue;
      any = true;
      places.insert(at.x);
      const auto numbers = summarise(at.samples);
      const double x = one.has_labels() ? at.x + (static_cast<double>(i) + 0.5) / count * 0.8 - 0.4 : at.x;
      blocks += fmt::format("{} {} {} {}\n", x, numbers.median, numbers.q1, numbers.q3);
    }
    blocks += "EOD\n";
    if (!any) continue;
    const auto title = quoted(one.series[i].name);
    plots += plots.empty() ? "plot " : ", \\\n     ";
    if (one.has_labels())
      plots += fmt::format(
          "$series{0} using 1:2:({2}) with boxes fill solid 0.8 linetype {1} title {3}, "
          "$series{0} using 1:2:3:4 with yerrorbars pointtype 0 linecolor 'black' notitle",
          i, i + 1, 0.75 / count, title);
    else
      plots += fmt::format(
          "$series{0} using 1:2:3:4 with yerrorlines linetype {1} pointtype {2} linewidth 1.5 title {3}", i,
          i % 8 + 1, i % 14 + 1, title);
  }
  auto script = fmt::format(
      "set encoding utf8\nset terminal svg size 800,480 dynamic font "
      "'Helvetica,13' background 'white'\n"
      "set termoption noenhanced\nset output {}\nset title {}\nset ylabel {}\nset grid\nset key outside "
      "right top\nset border 3\n"
      "set tics nomirror\n",
      quoted(svg_path), quoted(one.title), quoted(axis_label(one.y)));
  script += one.y.kind == scale::logarithmic ? "set logscale y\nset format y '%.0s%c'\n"
                                             : "set yrange [0:*]\nset format y '%.3s%c'\n";
  if (one.has_labels()) {
    script += "set xrange [-0.5:" + fmt::format("{}", static_cast<double>(one.x.labels.size()) - 0.5) +
              "]\nset xtics (";
    for (std::size_t i = 0; i < one.x.labels.size(); ++i)
      script += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted(one.x.labels[i]), i);
  } else {
    script += fmt::format("set xlabel {}\n{}", quoted(axis_label(one.x)),
                          one.x.kind == scale::logarithmic ? "set logscale x 2\n" : "");
    script += "set xtics (";
    std::string tics;
    for (const double x : places) tics += fmt::format("{}{}", tics.empty() ? "" : ", ", x);
    script += tics;
  }
  script += ")\n" + blocks + plots + "\n";
  return plots.empty() ? "" : script;
}

void write_svg(const experiment& one, const std::string& svg_path) {
  const auto script = gnuplot_script(one, svg_path);
  if (script.empty()) throw gnuplot_failed{fmt::format("'{}' has no sample to draw", one.name)};
  std::FILE* pipe = ::popen("gnuplot -", "we");
  if (pipe == nullptr) throw gnuplot_failed{"cannot start gnuplot"};
  std::fputs(script.c_str(), pipe);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw gnuplot_failed{"gnuplot is not installed (Debian: gnuplot-nox)"};
  if (status != 0) throw gnuplot_failed{fmt::format("gnuplot could not draw '{}'", one.name)};
}

}  // namespace hemlock::report
