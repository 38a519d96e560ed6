// What a child of a multi-threaded process may rely on; as mutex_behaviour.cpp.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

namespace {

/// The exit code of a child that runs `body`; 255 if it did not exit within ten seconds.
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/// Threads that are always about to lock, hold or wait while we fork.
class crowd {
public:
  explicit crowd(pthread_mutex_t& mutex, pthread_cond_t& cond) {
    for (int t = 0; t < 4; ++t)
      threads_.emplace_back([this, t, &mutex, &cond] {
        while (!over_) {
          pthread_mutex_lock(&mutex);
          timespec when;
          clock_gettime(CLOCK_REALTIME, &when);
          when.tv_sec += 1;
          if (t == 0 && !over_) pthread_cond_timedwait(&cond, &mutex, &when);
          pthread_mutex_unlock(&mutex);
        }
      });
  }
  void disperse(pthread_cond_t& cond) {
    over_ = true;
    pthread_cond_broadcast(&cond);
    for (auto& thread : threads_) thread.join();
  }

private:
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

pthread_mutex_t held_over_fork = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t waited_over_fork = PTHREAD_COND_INITIALIZER;

/// The child, in which only the forking thread exists, uses the mutex and the condition variable with new threads.
int use_in_child() {
  pthread_mutex_unlock(&held_over_fork);
  long count = 0;
  bool go = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        pthread_mutex_lock(&held_over_fork);
        ++count;
        while (!go) pthread_cond_wait(&waited_over_fork, &held_over_fork);
        pthread_mutex_unlock(&held_over_fork);
      }
    });
  pthread_mutex_lock(&held_over_fork);
  go = true;
  pthread_cond_broadcast(&waited_over_fork);
  pthread_mutex_unlock(&held_over_fork);
  for (auto& thread : threads) thread.join();
  return count == 600 ? 0 : 1;
}

TEST(fork, child_can_release_and_use_what_the_forking_thread_held) {
  crowd others(held_over_fork, waited_over_fork);
  for (int round = 0; round < 30; ++round) {
    pthread_mutex_lock(&held_over_fork);
    EXPECT_EQ(in_child(use_in_child), 0) << "round " << round;
    pthread_mutex_unlock(&held_over_fork);
  }
  others.disperse(waited_over_fork);
}

TEST(fork, child_of_a_child_can_too) {
  crowd others(held_over_fork, waited_over_fork);
  pthread_mutex_lock(&held_over_fork);
  EXPECT_EQ(in_child([] {
              std::thread contender([] {
                pthread_mutex_lock(&held_over_fork);
                pthread_mutex_unlock(&held_over_fork);
              });
              const int result = in_child(use_in_child);
              pthread_mutex_unlock(&held_over_fork);
              contender.join();
              return result;
            }),
            0);
  pthread_mutex_unlock(&held_over_fork);
  others.disperse(waited_over_fork);
}

TEST(fork, child_is_another_owner_than_its_parent) {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(&mutex);
  EXPECT_EQ(in_child([&] { return pthread_mutex_unlock(&mutex); }), EPERM);
  EXPECT_EQ(in_child([&] { return pthread_mutex_trylock(&mutex); }), EBUSY);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(in_child([&] {
              return pthread_mutex_lock(&mutex) + pthread_mutex_lock(&mutex) - EDEADLK +
                     pthread_mutex_unlock(&mutex);
            }),
            0);
}

}  // namespace
