# The library behaves in a stranger's process. HEMLOCK_PRELOAD_LIBRARY and HEMLOCK_TEST_PROGRAMS come from CTest.

setup() {
  cd "$BATS_TEST_TMPDIR"
}

with_library() {
  LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout 60 "$@"
}
threads_program() {
  echo "$HEMLOCK_TEST_PROGRAMS/preload_standard_threads"
}

@test "says nothing unless asked" {
  with_library /bin/true > out 2> err
  [ ! -s out ] && [ ! -s err ]
}

@test "a wrong lock gets one warning, the list, and the default" {
  HEMLOCK_LOCK=nosuchlock LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY "$(threads_program)" > out 2> err
  [ "$(wc -l < err)" -eq 1 ]
  grep -q 'nosuchlock.*using mutex.*hemlock-ctr' err
  grep -q '^std::mutex: 1200$' out
}

@test "a lock that cannot be offered is declined with the reason" {
  for lock in clh hemlock-ah hemlock-stack hemlock-element; do
    HEMLOCK_LOCK=$lock LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY /bin/true > out 2> err
    [ ! -s out ]
    [ "$(wc -l < err)" -eq 1 ]
    grep -q "HEMLOCK_LOCK=$lock.*: it[s ]\|HEMLOCK_LOCK=$lock.*: a lock" err
  done
  grep -q reclamation err
}

@test "a wrong waiting policy gets one warning and the default" {
  HEMLOCK_WAIT=snooze LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY /bin/true 2> err
  [ "$(wc -l < err)" -eq 1 ]
  grep -q 'snooze.*auto.*spin yield park auto' err
}

@test "HEMLOCK_VERBOSE names the lock" {
  HEMLOCK_VERBOSE=1 LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY /bin/true > out 2> err
  [ ! -s out ]
  grep -q 'lock mutex, waiting auto' err
}

@test "HEMLOCK_STATS=1 tells one line per process, on standard error" {
  HEMLOCK_STATS=1 LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY "$(threads_program)" > out 2> err
  [ "$(wc -l < err)" -eq 1 ]
  grep -q 'lock mutex, waiting auto; [1-9][0-9]* locks seen, [1-9][0-9]* acquisitions, .* condition waits' err
  ! grep -q hemlock out
}

@test "HEMLOCK_STATS counts a child of fork by itself" {
  HEMLOCK_STATS=1 LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY bash -c '(exit 0); exit 0' 2> err
  [ "$(grep -c 'process' err)" -ge 1 ]
}

@test "HEMLOCK_STATS=FILE appends a line of JSON per process" {
  HEMLOCK_STATS=$PWD/stats.json LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY "$(threads_program)" > out 2> err
  [ ! -s err ]
  HEMLOCK_STATS=$PWD/stats.json HEMLOCK_LOCK=fifo LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY "$(threads_program)" > out
  [ "$(wc -l < stats.json)" -eq 2 ]
  /usr/bin/python3 - <<'PY'
import json
first, second = [json.loads(line) for line in open("stats.json")]
assert first["schema"] == 1 and first["version"] and first["command"] and first["machine"]["cpus"] >= 1
assert first["lock"] == "mutex" and second["lock"] == "fifo"
assert first["acquisitions"] > 10000 and first["locks_seen"] > 5 and first["condition_waits"] > 0
assert second["handed_over"] <= second["contended"]
PY
}

@test "HEMLOCK_STATS counts what was contended, parked and handed over" {
  # Each thread holds the mutex for longer than the others' patience, and takes it again at once.
  cat > greedy.c <<'C'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* hold(void* unused) {
  for (int i = 0; i < 15; i++) { pthread_mutex_lock(&mutex); usleep(3000); pthread_mutex_unlock(&mutex); }
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int t = 0; t < 3; t++) pthread_create(&threads[t], 0, hold, 0);
  for (int t = 0; t < 3; t++) pthread_join(threads[t], 0);
}
C
  cc -o greedy greedy.c -lpthread
  for lock in mutex fifo mcs; do
    HEMLOCK_STATS=$PWD/$lock.json HEMLOCK_LOCK=$lock with_library ./greedy
  done
  /usr/bin/python3 - <<'PY'
import json
for lock in "mutex", "fifo", "mcs":
    told = json.loads(open(lock + ".json").readline())
    assert told["lock"] == lock and told["acquisitions"] >= 45 and told["locks_seen"] >= 1, told
    assert 0 < told["handed_over"] <= told["contended"] <= told["acquisitions"], told
    assert told["parked"] > 0, told
PY
}

@test "a mutex that is unlocked in another thread than locked it gets a warning where the lock cannot bear that" {
  cat > elsewhere.c <<'C'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* unlock(void* unused) { pthread_mutex_unlock(&mutex); return unused; }
int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, unlock, 0);
  pthread_join(thread, 0);
  return pthread_mutex_trylock(&mutex);
}
C
  cc -o elsewhere elsewhere.c -lpthread
  for lock in mutex fifo ticket tas ttas; do
    HEMLOCK_LOCK=$lock with_library ./elsewhere 2> err
    [ ! -s err ]
  done
  HEMLOCK_LOCK=hemlock-ctr LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY timeout -s KILL 2 ./elsewhere 2> err || true
  grep -q 'unlocked by another thread.*hemlock-ctr cannot' err
}

@test "unlocking a mutex that nobody holds does nothing, as with glibc, under every offered lock" {
  cat > twice.c <<'C'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* use(void* unused) {
  for (int i = 0; i < 100; i++) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_mutex_unlock(&mutex);
  use(0);
  pthread_mutex_unlock(&mutex);
  pthread_create(&thread, 0, use, 0);
  use(0);
  pthread_join(thread, 0);
  return pthread_mutex_trylock(&mutex);
}
C
  cc -o twice twice.c -lpthread
  for lock in $(HEMLOCK_LOCK=? with_library /bin/true 2>&1 | sed -n 's/.*offered: \(.*\))$/\1/p'); do
    HEMLOCK_LOCK=$lock with_library ./twice || { echo "with $lock" >&2; false; }
  done
}

@test "condition variables of before 2003 are glibc's, and work with our mutexes" {
  timeout 60 "$HEMLOCK_TEST_PROGRAMS/preload_old_condition" > expected
  for lock in mutex hemlock-ctr; do
    HEMLOCK_LOCK=$lock with_library "$HEMLOCK_TEST_PROGRAMS/preload_old_condition" > seen
    diff expected seen
  done
}

@test "HEMLOCK_STATS proves what was passed to glibc, by kind" {
  HEMLOCK_STATS=1 LD_PRELOAD=$HEMLOCK_PRELOAD_LIBRARY "$HEMLOCK_TEST_PROGRAMS/preload_behaviour" \
    --gtest_filter='*every_kind*:*owner_died*' > out 2> err
  grep -q 'passed to glibc: 3 robust, 2 inheriting, 0 protecting, 2 shared ([1-9]' err
}

@test "needs only the C library, and little of every thread's stack" {
  [ "$(readelf -dW "$HEMLOCK_PRELOAD_LIBRARY" | grep -c NEEDED)" -eq 1 ]
  readelf -dW "$HEMLOCK_PRELOAD_LIBRARY" | grep -q 'NEEDED.*libc\.so'
  # Initial-exec thread-local storage of less than a kilobyte, and no call to find it.
  ! readelf -rW "$HEMLOCK_PRELOAD_LIBRARY" | grep -q DTPMOD
  bytes=$((16#$(readelf -lW "$HEMLOCK_PRELOAD_LIBRARY" | awk '$1 == "TLS" { sub("0x", "", $6); print $6 }')))
  [ "$bytes" -gt 0 ] && [ "$bytes" -le 1024 ]
}

@test "exports what glibc exports of mutexes and condition variables, with the same versions" {
  exported() {
    objdump -T "$1" | awk '/\.text/ && / g / { gsub("[()]", "", $(NF - 1)); print $(NF - 1), $NF }' |
      grep -E ' (pthread_mutex_(init|destroy|lock|trylock|timedlock|clocklock|unlock|consistent|consistent_np|getprioceiling|setprioceiling)|pthread_cond_[a-z]+|mtx_[a-z]+|cnd_[a-z]+)$' |
      grep -vE 'GLIBC_2.2.5 pthread_cond_(init|destroy)' | sort
  }
  exported "$(ldd /bin/true | awk '/libc\.so/ { print $3 }')" > glibc
  exported "$HEMLOCK_PRELOAD_LIBRARY" > ours
  [ "$(wc -l < ours)" -gt 40 ]
  diff glibc ours
}

@test "never asks for memory in a lock, a wait or a signal" {
  for lock in mutex fifo hemlock-ctr mcs; do
    HEMLOCK_LOCK=$lock LD_PRELOAD="$HEMLOCK_PRELOAD_LIBRARY" timeout 60 "$HEMLOCK_TEST_PROGRAMS/preload_no_allocation"
  done
}

@test "other tools reach it, and it them, by dlsym(RTLD_NEXT)" {
  LD_PRELOAD="$HEMLOCK_TEST_PROGRAMS/libpreload_counting_tool.so $HEMLOCK_PRELOAD_LIBRARY" HEMLOCK_STATS=1 \
    timeout 60 "$(threads_program)" > out 2> err
  counted=$(sed -n 's/^tool: \([0-9]*\) locks$/\1/p' err)
  acquired=$(sed -n 's/.* \([0-9]*\) acquisitions.*/\1/p' err)
  [ "$counted" -gt 1000 ] && [ "$acquired" -ge $((counted / 2)) ]
  # Behind ours it sees what is passed on, and nothing else.
  LD_PRELOAD="$HEMLOCK_PRELOAD_LIBRARY $HEMLOCK_TEST_PROGRAMS/libpreload_counting_tool.so" timeout 60 \
    "$HEMLOCK_TEST_PROGRAMS/preload_behaviour" --gtest_filter='mutex.robust*' > out 2> err
  [ "$(sed -n 's/^tool: \([0-9]*\) locks$/\1/p' err)" -ge 2 ]
  LD_PRELOAD="$HEMLOCK_PRELOAD_LIBRARY $HEMLOCK_TEST_PROGRAMS/libpreload_counting_tool.so" timeout 60 \
    "$(threads_program)" > out 2> err
  [ "$(sed -n 's/^tool: \([0-9]*\) locks$/\1/p' err)" -lt 1000 ]
}

@test "works beside other preloaded libraries" {
  found=0
  timeout 60 "$(threads_program)" > expected
  for other in libjemalloc.so.2 libmimalloc.so.2 libeatmydata.so; do
    path=/usr/lib/$(uname -m)-linux-gnu/$other
    [ -e "$path" ] || continue
    found=$((found + 1))
    for order in "$path $HEMLOCK_PRELOAD_LIBRARY" "$HEMLOCK_PRELOAD_LIBRARY $path"; do
      LD_PRELOAD=$order timeout 60 "$(threads_program)" > seen
      diff expected seen
      LD_PRELOAD=$order timeout 60 "$HEMLOCK_TEST_PROGRAMS/preload_behaviour" > seen
    done
  done
  [ "$found" -gt 0 ] || skip "none of them is installed"
}

@test "objects loaded while the program runs use it" {
  HEMLOCK_STATS=1 with_library "$HEMLOCK_TEST_PROGRAMS/preload_loads_later" \
    "$HEMLOCK_TEST_PROGRAMS/libpreload_late_object.so" > out 2> err
  grep -q '^4000$' out
  acquired=$(sed -n 's/.* \([0-9]*\) acquisitions.*/\1/p' err)
  [ "$acquired" -ge 4000 ]
}

@test "under valgrind, without an error" {
  command -v valgrind >/dev/null || skip "no valgrind"
  timeout 60 "$(threads_program)" > expected
  # A wake-up uses an address as a name only: the waiter whose word it was may be gone, as glibc's own may.
  printf '{\n  wake-up by name\n  Memcheck:Param\n  futex(futex)\n  fun:syscall\n  ...\n}\n' > by-name.supp
  with_library valgrind -q --error-exitcode=9 --suppressions=by-name.supp --fair-sched=yes "$(threads_program)" > seen
  diff expected seen
}

@test "in gdb, with a breakpoint in a thread that holds a lock" {
  command -v gdb >/dev/null || skip "no gdb"
  timeout 60 gdb -q -batch -nx -ex "set environment LD_PRELOAD $HEMLOCK_PRELOAD_LIBRARY" -ex 'set startup-with-shell off' \
    -ex 'set debuginfod enabled off' -ex 'break c11_player' -ex run -ex 'info threads' -ex 'info sharedlibrary hemlock' \
    -ex delete -ex continue "$(threads_program)" > out 2>&1
  grep -q 'libhemlock-preload.so' out
  grep -q 'C11 threads: 602' out
  grep -q 'exited normally' out
}

@test "under strace" {
  command -v strace >/dev/null || skip "no strace"
  timeout 60 "$(threads_program)" > expected
  timeout 60 strace -f -o trace -E LD_PRELOAD="$HEMLOCK_PRELOAD_LIBRARY" "$(threads_program)" > seen
  diff expected seen
}

@test "a program with ThreadSanitizer is left to it, and told so" {
  timeout 60 "$HEMLOCK_TEST_PROGRAMS/preload_thread_sanitized" > expected
  with_library "$HEMLOCK_TEST_PROGRAMS/preload_thread_sanitized" > seen 2> err
  diff expected seen
  grep -q 'ThreadSanitizer' err
  ! grep -q 'WARNING: ThreadSanitizer' err
}

@test "a program with AddressSanitizer works" {
  runtime=$(gcc -print-file-name=libasan.so)
  [ -e "$runtime" ] || skip "no AddressSanitizer"
  timeout 60 "$HEMLOCK_TEST_PROGRAMS/preload_address_sanitized" > expected
  ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 with_library "$HEMLOCK_TEST_PROGRAMS/preload_address_sanitized" > seen
  diff expected seen
}

@test "a set-user-ID program ignores it" {
  [ "$(id -u)" = 0 ] || skip "needs root to make one"
  command -v setpriv >/dev/null || skip "no setpriv"
  directory=$(mktemp -d /var/tmp/hemlock.XXXXXX)
  cp "$(threads_program)" "$directory/program" && chmod 4755 "$directory/program" && chmod 755 "$directory"
  cp "$HEMLOCK_PRELOAD_LIBRARY" "$directory/library.so"
  run setpriv --reuid=65534 --regid=65534 --clear-groups env LD_PRELOAD="$directory/library.so" HEMLOCK_VERBOSE=1 \
    timeout 60 "$directory/program"
  rm -rf "$directory"
  [ "$status" -eq 0 ]
  # timeout is an ordinary program and says it; the set-user-ID one must not.
  [ "$(grep -c 'hemlock: lock mutex' <<< "$output")" -eq 1 ]
}
