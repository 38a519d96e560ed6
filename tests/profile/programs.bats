#!/usr/bin/env bats
# Programs of many kinds, unchanged, under `hemlock profile`. HEMLOCK and HEMLOCK_BUILD come from CTest.

bats_require_minimum_version 1.5.0

setup() {
  [ -e "$HEMLOCK_BUILD/libhemlock-preload-profile.so" ] || skip "no recorder in this build"
  scenes=$HEMLOCK_BUILD/tests/profile_scenes
  cd "$BATS_TEST_TMPDIR"
}

teardown() {
  [ -z "${server-}" ] || kill -KILL "$server" 2>/dev/null || true
}

profile() { timeout 100 "$HEMLOCK" profile -q "$@"; }
# A value out of a profile, by a jq expression.
of() { "$HEMLOCK" report "$1" --json | jq -r ".profile | $2"; }

@test "python3 with threads: the same result, and its locks in the table" {
  cat > threads.py <<'P'
import threading
lock = threading.Lock()
total = 0
def work():
    global total
    for _ in range(2000):
        with lock:
            total += 1
threads = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
print(total)
P
  [ "$(profile -o a.prof -- /usr/bin/python3 threads.py)" = 8000 ]
  [ "$(of a.prof .complete)" = true ]
  [ "$(of a.prof .threads)" -ge 5 ]
  [ "$(of a.prof .acquisitions)" -gt 50 ]
}

@test "sysbench: as many acquisitions as it was told to make, and no more" {
  command -v sysbench || skip "no sysbench"
  profile -o a.prof -- sysbench mutex --threads=4 --mutex-num=8 --mutex-locks=500 --mutex-loops=10 run > out
  grep -q 'events *(avg' out
  # Eight mutexes from one array, 4 x 500 acquisitions between them: a row per site has them together.
  run -0 "$HEMLOCK" report a.prof --group site --json
  [[ $(jq '[.profile.locks[] | select(.mutexes == 8) | .acquisitions] | max' <<< "$output") == 2000 ]]
}

@test "memcached under load on a socket: served, profiled, ended by a signal, complete" {
  command -v memcached || skip "no memcached"
  "$HEMLOCK" profile -q -o a.prof -- memcached -s "$PWD/socket" -t 4 -u "$(id -un)" -U 0 3>&- &
  server=$!
  cat > load.py <<'P'
import socket, sys, threading, time
def connect():
    for _ in range(500):
        try:
            s = socket.socket(socket.AF_UNIX); s.connect("socket"); return s
        except OSError:
            time.sleep(0.02)
    sys.exit("no server")
def client(n):
    s = connect(); f = s.makefile("rwb")
    for i in range(300):
        f.write(b"set key%d 0 0 5\r\nhello\r\nget key%d\r\n" % (i % 7, i % 7)); f.flush()
        assert f.readline() == b"STORED\r\n"
        while (line := f.readline()) != b"END\r\n": assert line
    good[n] = 1
good = [0] * 8
threads = [threading.Thread(target=client, args=(n,)) for n in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
assert sum(good) == 8
P
  timeout 60 /usr/bin/python3 load.py
  kill -TERM "$server"
  wait "$server" || true
  server=
  [ "$(of a.prof .acquisitions)" -gt 4800 ]
  [ "$(of a.prof .threads)" -ge 4 ]
  run -0 "$HEMLOCK" report a.prof
  [[ ${lines[0]} == *"mutex"* ]]
  [[ ${lines[-1]} == *"hemlock report a.prof --html"* ]]
}

@test "processes that fork and exec: a file for each that locks, listed by the first" {
  cat > family.py <<P
import os, threading
def lock(): threading.Thread(target=lambda: None).start()
lock()
for n in range(2):
    if os.fork() == 0:
        lock()
        os._exit(0)
    os.wait()
os.execv("$scenes", ["scenes", "ladder"])
P
  profile -o a.prof -- /usr/bin/python3 family.py
  # Two children, and what the process became by exec.
  [ "$(of a.prof '.other_processes | length')" = 3 ]
  for file in $(of a.prof '.other_processes[]'); do
    [ "$(of "$file" .warnings)" = "[]" ]
    "$HEMLOCK" report "$file" | grep -q "lock"
  done
  grep -l "g_ladder" <("$HEMLOCK" report "$(ls -t a.prof.* | head -1)")
}

@test "libraries loaded and unloaded: each one's lock has its name and its count" {
  cp "$HEMLOCK_BUILD"/tests/libprofile_guest.so first.so
  cp "$HEMLOCK_BUILD"/tests/libprofile_guest.so second.so
  cat > loads.py <<'P'
import _ctypes, ctypes, os
for name, times in (("first", 25), ("second", 14), ("first", 3)):
    library = ctypes.CDLL(os.path.abspath(name + ".so"))
    for _ in range(times): library.use_guest()
    _ctypes.dlclose(library._handle)
P
  profile -o a.prof -- /usr/bin/python3 loads.py
  counts=$(of a.prof '[.locks[] | select(.name | startswith("g_guest")) | .acquisitions] | add')
  [ "$counts" = 42 ]
  [ "$(of a.prof '[.locks[] | select(.name | startswith("g_guest")) | .acquisitions] | max')" -ge 25 ]
}

@test "a disk that is full: the program goes on, the report says what is missing" {
  mkdir small
  mount -t tmpfs -o size=256k tmpfs small 2>/dev/null || skip "may not mount"
  run -0 timeout 60 "$HEMLOCK" profile -q -o small/a.prof -- "$scenes" mutexes 5000
  run -0 "$HEMLOCK" report small/a.prof
  umount small
  [[ $output == *"found no room"* ]]
}

@test "threads that never end do not keep the profile from being complete" {
  cat > forever.py <<'P'
import os, threading, time
for _ in range(3): threading.Thread(target=lambda: time.sleep(1000), daemon=True).start()
P
  profile -o a.prof -- /usr/bin/python3 forever.py
  [ "$(of a.prof .complete)" = true ]
}

@test "debug information in a file of its own serves as well, and inlined functions are told apart" {
  command -v objcopy || skip "no objcopy"
  cp "$scenes" split
  objcopy --only-keep-debug split split.debug
  objcopy --strip-all --add-gnu-debuglink=split.debug split
  profile -o a.prof -- ./split objects
  [ "$(of a.prof '[.locks[] | select(.name == "vault::mutex_") | .acquisitions] | add')" = 6 ]
  [ "$(of a.prof '[.stacks[][] | select(.inlined)] | length')" -gt 0 ]
  rm split.debug
  # Without it the lock is still counted, and named by the function's place in the file.
  [ "$(of a.prof '[.locks[] | select(.name | contains("split+0x")) | .acquisitions] | max')" = 6 ]
}

@test "a program that changed after it was recorded is not given wrong names" {
  cp "$scenes" program
  profile -o a.prof -- ./program objects
  cp "$HEMLOCK_BUILD/tests/profile_truth" program
  run -0 "$HEMLOCK" report a.prof
  [[ $(tr -s ' \n' ' ' <<< "$output") == *"is not the file that was recorded"* ]]
  [[ $output != *vault* ]]
}

@test "the recorder has its probes, in the slow paths only" {
  command -v readelf || skip "no readelf"
  readelf -n "$HEMLOCK_BUILD/libhemlock-preload-profile.so" > notes
  for probe in wait__begin wait__end wait__timeout blame condition__wait; do
    grep -A1 'Provider: hemlock' notes | grep -q "Name: $probe"
  done
  # Not in the function that every lock call runs through.
  start=$(nm "$HEMLOCK_BUILD/libhemlock-preload-profile.so" -D --defined-only -S | awk '/ pthread_mutex_lock@/ { print $1, $2; exit }')
  [ -n "$start" ]
  begin=$((16#${start% *})); size=$((16#${start#* }))
  for at in $(sed -n 's/.*Location: 0x\([0-9a-f]*\),.*/\1/p' notes); do
    (( 16#$at < begin || 16#$at >= begin + size ))
  done
}

@test "the preload library without a recorder says so when it is asked to record" {
  run -0 env LD_PRELOAD="$HEMLOCK_BUILD/libhemlock-preload.so" HEMLOCK_PROFILE="$PWD/a.prof" "$scenes" ladder
  [[ $output == *"does not record"* ]]
  [ ! -e a.prof ]
}

@test "LevelDB, as docs/profiler.md profiles it: at most two locks held, its central mutex in the table" {
  "$HEMLOCK" bench leveldb-worker --fill --db db --entries 2000
  profile -o a.prof -- "$HEMLOCK" bench leveldb-worker --db db --entries 2000 --threads 8 --duration 300ms > out
  reads=$(jq .operations out)
  [ "$(of a.prof .most_locks_held)" -le 2 ]
  [ "$(of a.prof .nested_calls)" -ge 1 ]
  # Every read takes the database's mutex twice: it is the busiest.
  [ "$(of a.prof '[.locks[].acquisitions] | max')" -ge $((2 * reads)) ]
}

@test "bench profiler prints what recording costs as ratios, and leaves nothing behind" {
  mkdir scratch
  TMPDIR=$PWD/scratch run -0 --separate-stderr timeout 100 \
    "$HEMLOCK" bench profiler --threads 2 --entries 2000 --runs 1 --duration 50ms -q
  [[ $output =~ "uncontended lock and unlock "[0-9.]+" times as long" ]]
  [[ $output =~ "LevelDB readrandom with 2 threads take "[0-9.]+" times as long" ]]
  [ -z "$(ls -A scratch)" ]
}
