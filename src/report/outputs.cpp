#include "report/outputs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "report/csv.hpp"
#include "report/html.hpp"

namespace hemlock::report {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw unwritable{fmt::format("cannot write {}: {}", path, std::strerror(error))};
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// Devices and pipes are written in place; there is nothing to keep, and renaming would replace them.
bool is_special(const std::string& path) {
  struct stat what {};
  return ::stat(path.c_str(), &what) == 0 && !S_ISREG(what.st_mode);
}

void write_all(int file, const std::string& text, const std::string& path) {
  for (std::size_t written = 0; written < text.size();) {
    const auto count = ::write(file, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      if (file != STDOUT_FILENO) ::close(file);
      fail(path, error);
    }
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace

void check_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  struct stat what {};
  if (::stat(path.c_str(), &what) == 0) {
    if (S_ISDIR(what.st_mode)) fail(path, EISDIR);
    if (::access(path.c_str(), W_OK) != 0) fail(path, errno);
    if (!S_ISREG(what.st_mode)) return;
  }
  // access() says yes to root on a read-only file system or in /proc: only a file that was made counts.
  std::string trial = folder_of(path) + "/.hemlock-XXXXXX";
  const int file = ::mkstemp(trial.data());
  if (file < 0) fail(path, errno);
  ::close(file);
  ::unlink(trial.c_str());
}

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  if (path == "-") {
    std::fflush(stdout);
    write_all(STDOUT_FILENO, text, "standard output");
    return;
  }
  if (is_special(path)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) fail(path, errno);
    write_all(file, text, path);
    ::close(file);
    return;
  }
  std::string fresh = folder_of(path) + "/.hemlock-XXXXXX";
  const int file = ::mkstemp(fresh.data());
  if (file < 0) fail(path, errno);
  try {
    write_all(file, text, path);
  } catch (...) {
    ::unlink(fresh.c_str());
    throw;
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file, 0666 & ~mask);
  if (::close(file) != 0 || ::rename(fresh.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(fresh.c_str());
    fail(path, error);
  }
}

void outputs::check() const {
  for (const auto& path : {json, csv, html}) check_writable(path);
  int on_stdout = 0;
  for (const auto& path : {json, csv, html}) on_stdout += path == "-" ? 1 : 0;
  if (on_stdout > 1) throw unwritable{"only one of --json, --csv and --html can go to standard output"};
}

void outputs::write(const results& all) const {
  if (!json.empty()) write_text(json, to_document(all).dump(2) + '\n');
  if (!csv.empty()) write_text(csv, csv_of(all));
  if (!html.empty()) write_text(html, html_of(all));
}

}  // namespace hemlock::report
