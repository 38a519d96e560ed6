// loads_later OBJECT: loads it, lets it count, and unloads it.
#include <dlfcn.h>

#include <cstdio>

int main(int, char** argv) {
  void* const object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) return std::printf("%s\n", dlerror()), 1;
  auto* const count = reinterpret_cast<long (*)()>(dlsym(object, "count_in_threads"));
  std::printf("%ld\n", count());
  return dlclose(object);
}
