#include "report/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "report/table.hpp"

namespace hemlock::report {
namespace {

std::size_t columns_of(std::FILE* out) {
  winsize size{};
  if (::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

progress_style style_for(bool quiet, std::FILE* out) {
  if (quiet) return progress_style::silent;
  const char* terminal = std::getenv("TERM");
  const bool can_redraw = terminal != nullptr && std::string_view{terminal} != "dumb";
  return ::isatty(::fileno(out)) != 0 && can_redraw ? progress_style::bar : progress_style::lines;
}

std::string duration_text(std::chrono::duration<double> time) {
  const auto seconds = static_cast<long>(std::ceil(std::max(0.0, time.count())));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string bar_text(double done, double steps, std::chrono::duration<double> elapsed,
                     const std::string& what, std::size_t width) {
  const double share = steps > 0 ? std::clamp(done / steps, 0.0, 1.0) : 1;
  auto text = fmt::format("{} {:3.0f} %", bar(share, 20, true), std::floor(100 * share));
  if (share > 0) text += fmt::format("  {} left", duration_text(elapsed * ((1 - share) / share)));
  text += "  " + what;
  return truncated(text, width);
}

progress::progress(double steps, progress_style style, std::FILE* out)
    : steps_{steps}, style_{style}, out_{out} {
}

progress::~progress() {
  erase();
}

void progress::begin(std::string what) {
  what_ = std::move(what);
  if (style_ == progress_style::bar) draw();
  if (style_ != progress_style::lines) return;
  const auto now = clock::now();
  if (now - last_line_ < std::chrono::seconds{1}) return;
  last_line_ = now;
  const double share = steps_ > 0 ? done_ / steps_ : 1;
  fmt::print(out_, "{:3.0f} %  {}\n", std::floor(100 * share), what_);
}

void progress::done(double weight) {
  done_ += weight;
  if (style_ == progress_style::bar) draw();
}

void progress::note(const std::string& text) {
  if (style_ == progress_style::silent) return;
  erase();
  fmt::print(out_, "{}\n", text);
  if (style_ == progress_style::bar && !what_.empty()) draw();
}

void progress::draw() {
  // One column less than there are: a full line would wrap on some terminals.
  fmt::print(out_, "\r\x1b[K{}", bar_text(done_, steps_, clock::now() - begun_, what_, columns_of(out_) - 1));
  std::fflush(out_);
  drawn_ = true;
}

void progress::erase() {
  if (!std::exchange(drawn_, false)) return;
  fmt::print(out_, "\r\x1b[K");
  std::fflush(out_);
}

}  // namespace hemlock::report
