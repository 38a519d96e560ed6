#!/usr/bin/env bats
# hemlock bench: every benchmark in milliseconds, and what it says to wrong words.

bats_require_minimum_version 1.5.0

brief=(--runs 1 --duration 5ms --quiet)
two=(--locks hemlock-ctr,mcs)

# valid FILE: the document is JSON, has the envelope and at least one sample.
valid() {
  jq -e '.schema and .version and .command and .machine
         and ([.experiments[].series[].points[].samples[]] | length > 0)' "$1" >/dev/null
}

@test "mutexbench prints a table with a row per lock and a column per thread count" {
  run -0 --separate-stderr "$HEMLOCK" bench mutexbench "${two[@]}" --threads 1,2-4x2 "${brief[@]}"
  [[ $output == *hemlock-ctr* && $output == *mcs* ]]
  [[ $output =~ threads\ +1\ +2\ +4 ]]
  [ -z "$stderr" ]
}

@test "mutexbench writes valid JSON with every sample" {
  "$HEMLOCK" bench mutexbench "${two[@]}" --threads 1,2 --runs 3 --duration 2ms -q --json >"$BATS_TEST_TMPDIR/out.json"
  valid "$BATS_TEST_TMPDIR/out.json"
  run -0 jq '[.experiments[0].series[].points[].samples | length] | unique == [3]' "$BATS_TEST_TMPDIR/out.json"
  [ "$output" = true ]
}

@test "mutexbench writes CSV and a page" {
  run -0 "$HEMLOCK" bench mutexbench "${two[@]}" --threads 1 "${brief[@]}" --csv "$BATS_TEST_TMPDIR/out.csv" \
    --html "$BATS_TEST_TMPDIR/out.html"
  grep -q hemlock-ctr "$BATS_TEST_TMPDIR/out.csv"
  grep -q hemlock-ctr "$BATS_TEST_TMPDIR/out.html"
}

@test "sections, pinning, policies and the seed are taken and written down" {
  "$HEMLOCK" bench mutexbench "${two[@]}" --wait yield,auto --cs 5 --ncs uniform:40 --pin scatter --seed 7 --threads 2 \
    "${brief[@]}" --json "$BATS_TEST_TMPDIR/out.json"
  valid "$BATS_TEST_TMPDIR/out.json"
  run -0 jq -c '.experiments[0] | [.series[].name]' "$BATS_TEST_TMPDIR/out.json"
  [ "$output" = '["hemlock-ctr/yield","hemlock-ctr","mcs/yield","mcs"]' ]
  run -0 jq -c '.experiments[0].parameters' "$BATS_TEST_TMPDIR/out.json"
  [[ $output == *uniform:40* && $output == *scatter* ]]
}

@test "multiwait, fairness, latency and peers measure two locks" {
  for benchmark in multiwait fairness latency peers; do
    "$HEMLOCK" bench $benchmark "${two[@]}" "${brief[@]}" --json "$BATS_TEST_TMPDIR/$benchmark.json" \
      $([ $benchmark = latency ] || echo --threads 2)
    valid "$BATS_TEST_TMPDIR/$benchmark.json"
  done
}

@test "oversubscribe goes up to 32 times the CPUs" {
  "$HEMLOCK" bench oversubscribe --locks pthread "${brief[@]}" --json "$BATS_TEST_TMPDIR/out.json"
  valid "$BATS_TEST_TMPDIR/out.json"
  run -0 jq '[.experiments[0].series[0].points[].x] | max == 32 * min' "$BATS_TEST_TMPDIR/out.json"
  [ "$output" = true ]
}

@test "ring measures each way of waiting" {
  "$HEMLOCK" bench ring --variants load,cas,swap,faa --threads 1,2 "${brief[@]}" --json "$BATS_TEST_TMPDIR/out.json"
  valid "$BATS_TEST_TMPDIR/out.json"
  run -0 jq -c '[.experiments[0].series[].name]' "$BATS_TEST_TMPDIR/out.json"
  [ "$output" = '["load","cas","swap","faa"]' ]
}

@test "space measures bytes per bucket" {
  "$HEMLOCK" bench space "${two[@]}" --buckets 100000 --threads 2 "${brief[@]}" --json "$BATS_TEST_TMPDIR/out.json"
  valid "$BATS_TEST_TMPDIR/out.json"
}

@test "condvar has our own pair, and measures it unless told otherwise" {
  run -2 timeout -s KILL 20 "$HEMLOCK" bench condvar --pairs boost
  [[ $output == *"known: hemlock,"* ]]
  "$HEMLOCK" bench condvar "${brief[@]}" --json "$BATS_TEST_TMPDIR/out.json"
  run -0 jq -r '.experiments[0].series[0].name' "$BATS_TEST_TMPDIR/out.json"
  [ "$output" = hemlock ]
}

@test "condvar measures the pairs asked for" {
  "$HEMLOCK" bench condvar --pairs std "${brief[@]}" --json "$BATS_TEST_TMPDIR/out.json"
  valid "$BATS_TEST_TMPDIR/out.json"
}

@test "leveldb reads under the native lock and under ours, and leaves nothing behind" {
  locks=native
  [ ! -e "$HEMLOCK_BUILD/libhemlock-preload.so" ] || locks=native,mutex
  mkdir "$BATS_TEST_TMPDIR/scratch"
  TMPDIR="$BATS_TEST_TMPDIR/scratch" "$HEMLOCK" bench leveldb --locks $locks --threads 1,2 --entries 2000 "${brief[@]}" \
    --json "$BATS_TEST_TMPDIR/out.json"
  valid "$BATS_TEST_TMPDIR/out.json"
  run -0 jq '[.experiments[].series[].points[].failures[]?] | length' "$BATS_TEST_TMPDIR/out.json"
  [ "$output" = 0 ]
  [ -z "$(ls -A "$BATS_TEST_TMPDIR/scratch")" ]
}

@test "leveldb says beforehand that the disk is too small, and leaves nothing behind" {
  mkdir "$BATS_TEST_TMPDIR/scratch"
  TMPDIR="$BATS_TEST_TMPDIR/scratch" run -125 timeout -s KILL 20 "$HEMLOCK" bench leveldb --locks native \
    --entries 1000000000000
  [[ $output == *"disk is full"* && $output == *TMPDIR* ]]
  [ -z "$(ls -A "$BATS_TEST_TMPDIR/scratch")" ]
}

@test "leveldb says that files may not grow so large, and leaves nothing behind" {
  mkdir "$BATS_TEST_TMPDIR/scratch"
  TMPDIR="$BATS_TEST_TMPDIR/scratch" run -125 timeout -s KILL 60 bash -c 'ulimit -f 200; "$0" bench leveldb --locks native \
    --entries 20000' "$HEMLOCK"
  [[ $output == *"ulimit -f"* ]]
  [ -z "$(ls -A "$BATS_TEST_TMPDIR/scratch")" ]
}

@test "leveldb says that the disk became full half-way, and leaves nothing behind" {
  mkdir "$BATS_TEST_TMPDIR/disk"
  mount -t tmpfs -o size=64m none "$BATS_TEST_TMPDIR/disk" 2>/dev/null || skip "mounting is not allowed here"
  # Somebody else takes the room that was there when it began.
  (until ls "$BATS_TEST_TMPDIR"/disk/hemlock-leveldb-* >/dev/null 2>&1; do sleep 0.01; done
   cat /dev/zero > "$BATS_TEST_TMPDIR/disk/hog") 2>/dev/null 3>&- &
  code=0
  TMPDIR="$BATS_TEST_TMPDIR/disk" timeout -s KILL 60 "$HEMLOCK" bench leveldb --locks native --entries 250000 \
    > "$BATS_TEST_TMPDIR/out" 2>&1 3>&- || code=$?
  wait
  left=$(ls "$BATS_TEST_TMPDIR/disk")
  umount "$BATS_TEST_TMPDIR/disk"
  [ "$code" -eq 125 ]
  grep -q 'disk is full.*TMPDIR' "$BATS_TEST_TMPDIR/out"
  [ "$left" = hog ]
}

@test "leveldb refuses a lock that cannot be preloaded, with those that can" {
  run -2 timeout -s KILL 20 "$HEMLOCK" bench leveldb --locks hemlok
  [[ $output == *native* && $output == *mcs* ]]
}

@test "a preset names a figure of the paper and can be cut short" {
  for preset in max-contention moderate-contention multi-waiting; do
    "$HEMLOCK" bench --preset $preset --threads 1,2 "${brief[@]}" --json "$BATS_TEST_TMPDIR/$preset.json"
    valid "$BATS_TEST_TMPDIR/$preset.json"
    run -0 jq '.experiments[0].series | length' "$BATS_TEST_TMPDIR/$preset.json"
    [ "$output" = 5 ]
  done
}

@test "sections are refused by the presets that have their own, and taken by the others" {
  for preset in multi-waiting leveldb; do
    run -2 timeout -s KILL 20 "$HEMLOCK" bench --preset $preset --cs 5
    [[ $output == *"--cs and --ncs mean nothing to $preset"* ]]
  done
  "$HEMLOCK" bench --preset max-contention --cs 3 --ncs 7 --threads 1 "${brief[@]}" --json "$BATS_TEST_TMPDIR/out.json"
  run -0 jq -c '[.experiments[0].parameters[0, 1].value]' "$BATS_TEST_TMPDIR/out.json"
  [ "$output" = '["3","7"]' ]
}

@test "options before the benchmark's name are refused, not ignored" {
  for early in "--runs 3" "--preset max-contention" "--threads 1"; do
    # shellcheck disable=SC2086
    run -2 timeout -s KILL 20 "$HEMLOCK" bench $early mutexbench
    [[ $output == *"before the benchmark's name"* ]]
    # shellcheck disable=SC2086
    run -2 timeout -s KILL 20 "$HEMLOCK" bench $early leveldb
  done
}

@test "CSV on standard output stands there alone" {
  run -0 --separate-stderr "$HEMLOCK" bench mutexbench "${two[@]}" --threads 1 "${brief[@]}" --csv -
  [ "$(head -n 1 <<< "$output" | tr -cd , | wc -c)" -gt 3 ]
  [ "$(wc -l <<< "$output")" -ge 3 ]
  [[ $output != *threads\ *1* ]]
}

@test "progress is a bar on a terminal, plain lines elsewhere, nothing when quiet" {
  command -v script > /dev/null || skip "script(1) is not here"
  measure=("$HEMLOCK" bench mutexbench --locks mcs --threads 1 --runs 3 --duration 20ms)
  [[ $(TERM=xterm script -qec "${measure[*]} 2>&1 >/dev/null" /dev/null) == *$'\r'*"left"* ]]
  run -0 --separate-stderr "${measure[@]}"
  [[ $stderr == *"mutexbench: about"* && $stderr == *"mcs, 1 threads"* && $stderr != *$'\r'* ]]
  run -0 --separate-stderr "${measure[@]}" -q
  [ -z "$stderr" ]
}

@test "a pure spin lock with too many threads is named, marked and not run" {
  "$HEMLOCK" bench mutexbench --locks ticket --wait spin --threads 512 "${brief[@]}" --spin-limit 1 \
    --json "$BATS_TEST_TMPDIR/out.json"
  run -0 jq -c '.experiments[0].series[0].points[0] | [(.samples | length), (.marks | length)]' "$BATS_TEST_TMPDIR/out.json"
  [ "$output" = '[0,2]' ]
}

@test "an unknown lock is refused with the known ones" {
  run -2 timeout -s KILL 20 "$HEMLOCK" bench mutexbench --locks hemlok
  [[ $output == *"'hemlok'"* && $output == *hemlock-ctr* && $output == *ticket* ]]
}

@test "a policy that the lock does not have is refused with those it has" {
  run -2 timeout -s KILL 20 "$HEMLOCK" bench mutexbench --locks ticket --wait park
  [[ $output == *"auto, spin, yield"* ]]
}

@test "unknown presets, variants, pairs and pinnings are refused with the known ones" {
  run -2 timeout -s KILL 20 "$HEMLOCK" bench --preset fastest
  [[ $output == *max-contention* ]]
  run -2 timeout -s KILL 20 "$HEMLOCK" bench ring --variants peek
  [[ $output == *"load, cas, swap, faa"* ]]
  run -2 timeout -s KILL 20 "$HEMLOCK" bench condvar --pairs boost
  [[ $output == *std* ]]
  run -2 timeout -s KILL 20 "$HEMLOCK" bench mutexbench --pin tight
  [[ $output == *scatter* ]]
}

@test "bad numbers are wrong usage and say what is expected" {
  for wrong in "--threads 0" "--threads 4-2" "--threads 1,x" "--runs 0" "--runs x" "--duration soon" "--duration 0" \
    "--cs five" "--ncs uniform:0" "--seed -1" "--spin-limit -1"; do
    # shellcheck disable=SC2086
    run -2 timeout -s KILL 20 "$HEMLOCK" bench mutexbench $wrong
    [ -n "$output" ]
  done
}

@test "without a benchmark and without a preset it is wrong usage" {
  run -2 timeout -s KILL 20 "$HEMLOCK" bench
}

@test "an output that cannot be written is said before anything is measured" {
  SECONDS=0
  run -125 timeout -s KILL 20 "$HEMLOCK" bench mutexbench --json /no/such/folder/out.json
  [[ $output == *"/no/such/folder"* ]]
  [ $SECONDS -lt 10 ]
}

@test "Ctrl-C in mid-run keeps what was measured" {
  "$HEMLOCK" bench mutexbench --locks mcs --threads 1,2 --runs 100000 --duration 5ms \
    --json "$BATS_TEST_TMPDIR/out.json" 2>"$BATS_TEST_TMPDIR/progress" 3>&- &
  tool=$!
  # Its first words on stderr say that it measures.
  for _ in $(seq 200); do
    [ -s "$BATS_TEST_TMPDIR/progress" ] && break
    sleep 0.05
  done
  sleep 0.5
  kill -INT $tool
  code=0
  wait $tool || code=$?
  [ "$code" -eq 130 ]
  jq -e '.interrupted' "$BATS_TEST_TMPDIR/out.json"
  valid "$BATS_TEST_TMPDIR/out.json"
}
