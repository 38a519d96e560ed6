// How far a long command is, on stderr: a bar with the time left on a terminal, plain lines elsewhere, or
// nothing at all.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace hemlock::report {

enum class progress_style { silent, lines, bar };

/// What suits this stderr; `quiet` is the user's -q.
progress_style style_for(bool quiet, std::FILE* out = stderr);

class progress {
public:
  using clock = std::chrono::steady_clock;

  /// `steps` of about equal length, or of `weight`s that add up to it.
  progress(double steps, progress_style style, std::FILE* out = stderr);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Says what runs now. Lines are written at most once a second, so that a log stays readable.
  void begin(std::string what);
  /// That is done. A step that failed or was left out counts as done.
  void done(double weight = 1);
  /// A line for the user that stays, whatever the bar does. Not shown when silent.
  void note(const std::string& text);

private:
  void draw();
  void erase();

  double steps_;
  double done_ = 0;
  progress_style style_;
  std::FILE* out_;
  std::string what_;
  clock::time_point begun_ = clock::now();
  clock::time_point last_line_{};
  bool drawn_ = false;
};

/// "###----  37 %  1:02 left  mutex, 4 threads": one line of `width` columns. Without a time when it is not known.
std::string bar_text(double done, double steps, std::chrono::duration<double> elapsed,
                     const std::string& what, std::size_t width);

/// "4 s", "1:02", "2:00:05".
std::string duration_text(std::chrono::duration<double> time);

}  // namespace hemlock::report
