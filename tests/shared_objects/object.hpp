// What each shared object offers: locking and unlocking of a lock that lives elsewhere.
#pragma once

#include <cstddef>

struct lock_functions {
  std::size_t size;
  void (*lock)(void*);
  void (*unlock)(void*);
};

extern "C" lock_functions lock_functions_for(int kind);
