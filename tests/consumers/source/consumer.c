/* The same in C. */
#include <hemlock/hemlock.h>

static hemlock_mutex_t lock = HEMLOCK_MUTEX_INITIALIZER;

int main(void) {
  hemlock_mutex_lock(&lock);
  hemlock_mutex_unlock(&lock);
  return hemlock_mutex_trylock(&lock);
}
