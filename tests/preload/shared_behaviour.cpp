// What two processes may rely on of what they share; as mutex_behaviour.cpp.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <new>

namespace {

/// In memory that a child of fork() has in common with us.
struct board {
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  int turn = 0;

  static board* make(bool robust) {
    void* const memory =
        mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto* const shared = new (memory) board;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    if (robust) pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    EXPECT_EQ(pthread_mutex_init(&shared->mutex, &kind), 0);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    EXPECT_EQ(pthread_cond_init(&shared->cond, &attributes), 0);
    return shared;
  }

  void play(int me) {
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 100; ++i) {
      while (turn % 2 != me) pthread_cond_wait(&cond, &mutex);
      ++turn;
      pthread_cond_signal(&cond);
    }
    pthread_mutex_unlock(&mutex);
  }
};

template <class Body>
pid_t child(Body body) {
  const pid_t id = fork();
  if (id == 0) {
    alarm(20);
    body();
    _exit(0);
  }
  return id;
}

int ended(pid_t id) {
  int status = 0;
  waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(process_shared, mutex_and_condition_variable_serve_two_processes) {
  board* const shared = board::make(false);
  const pid_t other = child([&] { shared->play(1); });
  shared->play(0);
  EXPECT_EQ(ended(other), 0);
  EXPECT_EQ(shared->turn, 200);
  EXPECT_EQ(pthread_mutex_destroy(&shared->mutex), 0);
  EXPECT_EQ(pthread_cond_destroy(&shared->cond), 0);
  munmap(shared, sizeof *shared);
}

TEST(process_shared, robust_mutex_tells_that_its_process_died) {
  board* const shared = board::make(true);
  EXPECT_EQ(ended(child([&] { pthread_mutex_lock(&shared->mutex); })), 0);
  EXPECT_EQ(pthread_mutex_trylock(&shared->mutex), EOWNERDEAD);
  EXPECT_EQ(pthread_mutex_unlock(&shared->mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&shared->mutex), ENOTRECOVERABLE);
  EXPECT_EQ(pthread_mutex_destroy(&shared->mutex), 0);
  munmap(shared, sizeof *shared);
}

TEST(process_shared, waiter_learns_that_the_process_which_called_it_died_with_the_mutex) {
  board* const shared = board::make(true);
  pthread_mutex_lock(&shared->mutex);
  const pid_t other = child([&] {
    pthread_mutex_lock(&shared->mutex);
    shared->turn = 1;
    pthread_cond_signal(&shared->cond);
  });
  int result = 0;
  while (shared->turn == 0 && result == 0) result = pthread_cond_wait(&shared->cond, &shared->mutex);
  EXPECT_EQ(result, EOWNERDEAD);
  EXPECT_EQ(pthread_mutex_consistent(&shared->mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&shared->mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&shared->mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&shared->mutex), 0);
  EXPECT_EQ(ended(other), 0);
  munmap(shared, sizeof *shared);
}

}  // namespace
