#include "bench/resident_memory.hpp"

#include <malloc.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace hemlock::bench {

std::size_t resident_bytes() {
  ::malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::size_t kilobytes = 0;
  for (std::string unit; file >> name >> kilobytes; std::getline(file, unit))
    if (name == "MemAvailable:") return kilobytes * 1024;
  return 0;
}

}  // namespace hemlock::bench
