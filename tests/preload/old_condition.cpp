// old_condition: uses the condition variables that programs linked against before 2003, by their symbol version.
#include <pthread.h>

#include <cerrno>
#include <cstdio>
#include <thread>

extern "C" {
int old_cond_init(void* cond, const void* attributes);
int old_cond_destroy(void* cond);
int old_cond_wait(void* cond, pthread_mutex_t* mutex);
int old_cond_timedwait(void* cond, pthread_mutex_t* mutex, const timespec* when);
int old_cond_signal(void* cond);
int old_cond_broadcast(void* cond);
}
asm(".symver old_cond_init, pthread_cond_init@GLIBC_2.2.5");
asm(".symver old_cond_destroy, pthread_cond_destroy@GLIBC_2.2.5");
asm(".symver old_cond_wait, pthread_cond_wait@GLIBC_2.2.5");
asm(".symver old_cond_timedwait, pthread_cond_timedwait@GLIBC_2.2.5");
asm(".symver old_cond_signal, pthread_cond_signal@GLIBC_2.2.5");
asm(".symver old_cond_broadcast, pthread_cond_broadcast@GLIBC_2.2.5");

namespace {

long ping_pong(pthread_mutex_t& mutex, bool all) {
  long old_cond[6] = {};  // as large as it ever was
  long turns = 0;
  const auto play = [&](int me) {
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 200; ++i) {
      while (turns % 2 != me) old_cond_wait(old_cond, &mutex);
      ++turns;
      all ? old_cond_broadcast(old_cond) : old_cond_signal(old_cond);
    }
    pthread_mutex_unlock(&mutex);
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  old_cond_destroy(old_cond);
  return turns;
}

}  // namespace

int main() {
  pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  std::printf("%ld turns by signals, %ld by broadcasts\n", ping_pong(normal, false),
              ping_pong(recursive, true));
  long cond[6];
  std::printf("init %d\n", old_cond_init(cond, nullptr));
  const timespec past{1, 0};
  pthread_mutex_lock(&normal);
  std::printf("timed out: %s\n", old_cond_timedwait(cond, &normal, &past) == ETIMEDOUT ? "yes" : "no");
  std::printf("has the mutex: %s\n", pthread_mutex_trylock(&normal) == EBUSY ? "yes" : "no");
  pthread_mutex_unlock(&normal);
  std::printf("destroy %d\n", old_cond_destroy(cond));
}
