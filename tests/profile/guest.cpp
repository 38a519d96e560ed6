// A library with a lock of its own, loaded and unloaded while the program runs.
#include <pthread.h>

static pthread_mutex_t g_guest = PTHREAD_MUTEX_INITIALIZER;

extern "C" [[gnu::visibility("default")]] void use_guest() {
  pthread_mutex_lock(&g_guest);
  asm volatile("" ::: "memory");
  pthread_mutex_unlock(&g_guest);
}
