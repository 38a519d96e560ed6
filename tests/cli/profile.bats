#!/usr/bin/env bats
# hemlock profile, and what report and diff do with its files. What is recorded is tested in tests/profile.

bats_require_minimum_version 1.5.0

setup() {
  [ -e "$HEMLOCK_BUILD/libhemlock-preload-profile.so" ] || skip "no recorder in this build"
  truth=$HEMLOCK_BUILD/tests/profile_truth
  cd "$BATS_TEST_TMPDIR"
}

record() { "$HEMLOCK" profile -q -o "$1" -- "$truth" >/dev/null; }

@test "profile says what hurts and what to type next, on standard error" {
  run -0 --separate-stderr "$HEMLOCK" profile -o a.prof -- "$truth"
  [[ $output =~ ^[0-9]+\ [0-9]+$ ]]
  [[ $stderr == *"mutexes carries"*"g_busy"* ]]
  [[ $stderr == *"they can deadlock"* ]]
  [[ $stderr == *"Next: hemlock report "*a.prof* ]]
}

@test "profile passes on the program's exit code and the signal that ended it" {
  run -3 "$HEMLOCK" profile -q -o a.prof -- sh -c 'exit 3'
  run -137 "$HEMLOCK" profile -q -o a.prof -- "$truth" kill
  [ -s a.prof ]
  run -127 "$HEMLOCK" profile -q -- ./no-such-program
}

@test "profile does not overwrite a file that is no profile" {
  echo precious > a.prof
  run -2 "$HEMLOCK" profile -o a.prof -- true
  [ "$(cat a.prof)" = precious ]
}

@test "profile refuses locks that are not ours, with the names of those that are" {
  run -2 "$HEMLOCK" profile --lock native -- true
  run -2 "$HEMLOCK" profile --lock no-such-lock -- true
  [[ $output == *hemlock-ctr* ]]
}

@test "report of a profile comes as text, JSON, folded stacks, a graph and a page" {
  record a.prof
  run -0 "$HEMLOCK" report a.prof --top 3
  [[ ${lines[0]} == *"of the waiting"*g_busy* ]]
  run -0 "$HEMLOCK" report a.prof --json
  [[ $output == *'"machine"'*'"g_busy"'*'"schema"'* ]]
  run -0 "$HEMLOCK" report a.prof --folded -
  [[ $output == *patient_waiter*"waiting_for_g_busy "* ]]
  run -0 "$HEMLOCK" report a.prof --dot -
  [[ $output == digraph*color=red* ]]
  run -0 "$HEMLOCK" report a.prof --html page.html
  grep -q '<svg' page.html
  run -2 "$HEMLOCK" report a.prof --by no-such-order
}

@test "report of a profile that is cut short shows what is left and says so" {
  record a.prof
  head -c 140000 a.prof > b.prof
  run -0 "$HEMLOCK" report b.prof
  [[ $output == *"cut short"* ]]
  head -c 100 a.prof > c.prof
  run -2 "$HEMLOCK" report c.prof
}

@test "diff compares two profiles lock by lock, and not a profile with something else" {
  record a.prof
  record b.prof
  run -0 "$HEMLOCK" diff a.prof b.prof
  [[ $output == *"Waiting per acquisition"*g_busy* ]]
  echo '{}' > c.json
  run -2 "$HEMLOCK" diff a.prof c.json
}

@test "python with threads is profiled unchanged" {
  command -v python3 || skip "no python3"
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
  run -0 --separate-stderr "$HEMLOCK" profile -o a.prof -- python3 threads.py
  [ "$output" = 8000 ]
  [ -s a.prof ]
}
