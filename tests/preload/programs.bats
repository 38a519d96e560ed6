# Programs that know nothing of us give the same output with the library as without.
# HEMLOCK_PRELOAD_LIBRARY and HEMLOCK_TEST_PROGRAMS come from CTest.

setup() {
  cd "$BATS_TEST_TMPDIR"
}

# The same shell commands without and with the library; the outputs must be equal, and not empty.
same_with_library() {
  timeout 60 bash -c "$1" >without.out 2>without.err
  LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 60 bash -c "$1" >with.out 2>with.err
  [ -s without.out ]
  diff without.out with.out
  diff without.err with.err
}

offered_locks() {
  HEMLOCK_LOCK=? LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY /bin/true 2>&1 | sed -n 's/.*offered: \(.*\))$/\1/p'
}

@test "python3 threads with queues and conditions" {
  [ -x /usr/bin/python3 ] || skip "no python3"
  cat > threads.py <<'PY'
import queue, threading, concurrent.futures
q, results, lock = queue.Queue(8), [], threading.RLock()
def work():
    while (n := q.get()) is not None:
        with lock:
            results.append(n * n)
        q.task_done()
threads = [threading.Thread(target=work) for _ in range(8)]
for t in threads: t.start()
for n in range(500): q.put(n)
q.join()
for _ in threads: q.put(None)
for t in threads: t.join()
barrier, event = threading.Barrier(4), threading.Event()
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    met = list(pool.map(lambda n: barrier.wait(30) >= 0, range(4)))
print(sum(results), len(results), all(met), event.wait(0.01))
PY
  same_with_library "/usr/bin/python3 threads.py"
}

@test "sort --parallel" {
  seq 200000 | awk '{ print ($1 * 7919) % 1000003 }' > numbers
  same_with_library "sort --parallel=4 -S 2M -n numbers | sha256sum"
}

@test "xz with four threads, there and back" {
  seq 400000 > numbers
  same_with_library "xz -T4 --block-size=262144 -1 -c numbers | xz -T4 -d | sha256sum"
}

@test "git: a repository packed and read by several threads" {
  cat > repository.sh <<'SH'
export GIT_AUTHOR_DATE='1 Jan 2020 00:00 +0000' GIT_COMMITTER_DATE='1 Jan 2020 00:00 +0000' HOME=$PWD
export GIT_CONFIG_GLOBAL=/dev/null
rm -rf repository && git init -q repository && cd repository
git config user.name n; git config user.email e; git config pack.threads 4; git config grep.threads 4
for i in $(seq 60); do seq "$i" 500 > "file$i"; done
git add . && git commit -qm one && git repack -adq && git fsck 2>/dev/null
git grep -c 499 | sort | sha256sum && git log --format=%T
SH
  same_with_library "bash repository.sh"
}

@test "a Java program with locks, conditions and a pool" {
  command -v java >/dev/null || skip "no java"
  cat > Threads.java <<'JAVA'
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
public class Threads {
  public static void main(String[] arguments) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    Object monitor = new Object();
    AtomicLong sum = new AtomicLong();
    CountDownLatch done = new CountDownLatch(200);
    for (int i = 0; i < 200; i++) {
      final int n = i;
      pool.execute(() -> { synchronized (monitor) { sum.addAndGet(n); monitor.notifyAll(); } done.countDown(); });
    }
    done.await();
    pool.shutdown();
    System.out.println(sum.get() + " " + pool.awaitTermination(30, TimeUnit.SECONDS));
  }
}
JAVA
  same_with_library "java -Xshare:auto -XX:TieredStopAtLevel=1 Threads.java"
}

@test "sysbench counts the same events" {
  command -v sysbench >/dev/null || skip "no sysbench"
  same_with_library "sysbench mutex --threads=4 --mutex-num=4 --mutex-locks=200 --mutex-loops=10 run | grep 'number of events'"
}

@test "standard C++, C11 and OpenMP synchronisation under every offered lock" {
  [ "$(offered_locks | wc -w)" -ge 15 ]
  timeout 30 "$HEMLOCK_TEST_PROGRAMS/preload_standard_threads" > expected
  for lock in $(offered_locks); do
    HEMLOCK_LOCK=$lock LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 60 "$HEMLOCK_TEST_PROGRAMS/preload_standard_threads" > seen
    diff expected seen || { echo "with $lock" >&2; false; }
  done
}

@test "every waiting policy of a parking and of a spinning lock" {
  timeout 30 "$HEMLOCK_TEST_PROGRAMS/preload_standard_threads" > expected
  for choice in mutex:park mutex:yield fifo:park hemlock-ctr:yield mcs:park tas:yield; do
    HEMLOCK_LOCK=${choice%:*} HEMLOCK_WAIT=${choice#*:} LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY \
      timeout 60 "$HEMLOCK_TEST_PROGRAMS/preload_standard_threads" > seen 2> warnings
    diff expected seen
    [ ! -s warnings ]
  done
}

@test "four threads on one mutex come to an end with every lock and every policy that it has" {
  cat > count.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count;
static void* add(void* unused) {
  for (int i = 0; i < 50; i++) {
    pthread_mutex_lock(&mutex);
    count++;
    if (i % 10 == 0) usleep(20);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
int main(void) {
  pthread_t threads[4];
  for (int t = 0; t < 4; t++) pthread_create(&threads[t], 0, add, 0);
  for (int t = 0; t < 4; t++) pthread_join(threads[t], 0);
  printf("%ld\n", count);
}
C
  cc -O1 -o count count.c -lpthread
  for lock in $(offered_locks); do
    for wait in auto yield spin park; do
      HEMLOCK_LOCK=$lock HEMLOCK_WAIT=$wait LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 60 ./count > seen 2> warning ||
        { echo "$lock with $wait" >&2; false; }
      [ "$(cat seen)" = 200 ]
      # A policy that a lock does not have is the default lock's, after a warning.
      [ ! -s warning ] || [ $wait = park ]
    done
  done
}

@test "promises of POSIX under every offered lock" {
  [ "${HEMLOCK_TEST_SIZE:-quick}" = full ] || skip "in the full size: CTest has four of them"
  for lock in $(offered_locks); do
    HEMLOCK_LOCK=$lock LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 120 "$HEMLOCK_TEST_PROGRAMS/preload_behaviour" \
      --gtest_brief=1 || { echo "with $lock" >&2; false; }
  done
}

@test "a storm of 64 threads that lock, wait, are cancelled and end does not hang" {
  runs=100
  LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 120 "$HEMLOCK_TEST_PROGRAMS/preload_storm" $runs
  for lock in $(offered_locks); do
    HEMLOCK_LOCK=$lock LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 60 "$HEMLOCK_TEST_PROGRAMS/preload_storm" 2
  done
}

@test "random sequences of calls return what they return with glibc" {
  seeds=300
  [ "${HEMLOCK_TEST_SIZE:-quick}" = full ] && seeds=3000
  timeout 200 "$HEMLOCK_TEST_PROGRAMS/preload_api_fuzzer" 1 $seeds > expected
  LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 200 "$HEMLOCK_TEST_PROGRAMS/preload_api_fuzzer" 1 $seeds > seen
  diff expected seen | head -n 20
  cmp expected seen
  for lock in fifo hemlock-ctr mcs ticket; do
    HEMLOCK_LOCK=$lock LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 200 \
      "$HEMLOCK_TEST_PROGRAMS/preload_api_fuzzer" 1 $((seeds / 6)) > seen
    head -n "$(wc -l < seen)" expected | cmp - seen
  done
}
