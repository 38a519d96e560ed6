#!/usr/bin/env bats
# hemlock compare

load helper

@test "compare ranks the locks and ends with a verdict in one sentence" {
  stand_in_tool
  run -0 --separate-stderr "$TOOL" compare --locks native,ticket --runs 4 --warmup 0 -- \
    sh -c '[ "$HEMLOCK_LOCK" != ticket ] || sleep 1'
  # On a busy machine the interval is wide, and told by its ends.
  [[ $output =~ native\ is\ [0-9.]+\ (±\ [0-9.]+|\([0-9.]+\ …\ [0-9.]+\))\ times\ as\ fast\ as\ ticket\. ]]
}

@test "compare takes a figure that the program prints, and sees no difference where there is none" {
  stand_in_tool
  run -0 --separate-stderr "$TOOL" compare -q --locks native,ticket --runs 4 --warmup 0 --metric 'regex:rate: (\S+)' -- \
    echo 'rate: 5e3 a second'
  [[ $output == *"5 k"* ]]
  [[ $output == *"No difference can be seen between native and ticket."* ]]
}

@test "compare interleaves the locks, each as often as asked, in an order that the seed decides" {
  stand_in_tool
  order() {
    rm -f order
    "$TOOL" compare -q --locks native,ticket,mcs --runs 3 --warmup 1 --seed "$1" -- \
      sh -c 'echo "${HEMLOCK_LOCK:-native}" >> order' > /dev/null
    tr '\n' ' ' < order
  }
  first=$(order 5)
  [ "$first" = "$(order 5)" ]
  [ "$(tr ' ' '\n' <<< "$first" | sort | uniq -c | awk 'NF == 2 { print $1 }' | tr '\n' ' ')" = "4 4 4 " ]
  [ "$(cut -d' ' -f1-3 <<< "$first" | tr ' ' '\n' | sort -u | wc -l)" = 3 ]
}

@test "a program that fails under one lock is shown as such and never averaged in" {
  stand_in_tool
  run -7 --separate-stderr "$TOOL" compare -q --json out.json --locks native,ticket --runs 4 -- \
    sh -c 'if [ "$HEMLOCK_LOCK" = ticket ]; then echo broken >&2; exit 7; fi'
  [[ $output == *failed* && $output == *"exit code 7 (broken)"* ]]
  python3 -c 'import json
points = {line["name"]: line["points"][0] for line in json.load(open("out.json"))["experiments"][0]["series"]}
assert points["ticket"]["samples"] == [], points
assert points["ticket"]["failures"], points
assert len(points["native"]["samples"]) == 4, points'
}

@test "a program that hangs is ended after the timeout and shown as such" {
  run -124 --separate-stderr "$HEMLOCK" compare -q --locks native --runs 2 --timeout 0.2 -- sleep 30
  [[ $output == *"did not end within 0.2 s"* ]]
}

@test "a program killed by a signal is shown as such, and compare ends as 128+n" {
  run -139 --separate-stderr "$HEMLOCK" compare -q --locks native --runs 2 -- sh -c 'kill -SEGV $$'
  [[ $output == *SIGSEGV* ]]
}

@test "an exit code other than 0 is good when it is expected" {
  run -0 --separate-stderr "$HEMLOCK" compare -q --locks native --runs 2 --expect 4 -- sh -c 'exit 4'
}

@test "compare reports a missing program as 127, and one that cannot be run as 126" {
  run -127 "$HEMLOCK" compare --locks native -- ./no-such-program
  echo data > file
  run -126 "$HEMLOCK" compare --locks native -- ./file
}

@test "an unknown lock is wrong usage, and the known ones are listed" {
  run -2 "$HEMLOCK" compare --locks native,no-such-lock -- true
  [[ $output == *no-such-lock* && $output == *hemlock-ctr* ]]
}

@test "bad numbers, metrics and expressions are wrong usage" {
  run -2 "$HEMLOCK" compare --locks native --runs many -- true
  run -2 "$HEMLOCK" compare --locks native --runs 0 -- true
  run -2 "$HEMLOCK" compare --locks native --warmup -1 -- true
  run -2 "$HEMLOCK" compare --locks native --timeout 0 -- true
  run -2 "$HEMLOCK" compare --locks native --metric speed -- true
  [[ $output == *max-rss* ]]
  run -2 "$HEMLOCK" compare --locks native --metric 'regex:(' -- true
}

@test "an output that cannot be written is named before anything is measured" {
  run -125 "$HEMLOCK" compare --locks native --runs 1 --html /no/such/folder/x.html -- touch measured
  [[ $output == *"/no/such/folder/x.html"* ]]
  [ ! -e measured ]
}

@test "prepare runs before each run and is not measured" {
  run -0 --separate-stderr "$HEMLOCK" compare -q --locks native --runs 3 --warmup 1 --prepare 'echo >> prepared; sleep 0.1' \
    --json out.json -- true
  [ "$(wc -l < prepared)" = 4 ]
  python3 -c 'import json
samples = json.load(open("out.json"))["experiments"][0]["series"][0]["points"][0]["samples"]
assert min(samples) < 0.1, samples'
}

@test "a prepare that fails stops the comparison" {
  run -125 "$HEMLOCK" compare -q --locks native --runs 3 --prepare 'exit 9' -- true
  [[ $output == *"exit code 9"* ]]
}

@test "Ctrl-C ends the run under way and keeps what was measured" {
  "$HEMLOCK" compare -q --locks native --runs 1000 --warmup 0 --json out.json -- \
    sh -c 'echo >> runs; [ "$(wc -l < runs)" -lt 3 ] || exec sleep 60' > table &
  child=$!
  until [ -e runs ] && [ "$(wc -l < runs)" -ge 3 ]; do sleep 0.02; done
  kill -INT $child
  status=0
  wait $child || status=$?
  [ $status = 130 ]
  grep -q Interrupted table
  python3 -c 'import json
document = json.load(open("out.json"))
assert document["interrupted"]
assert len(document["experiments"][0]["series"][0]["points"][0]["samples"]) == 2'
}

@test "a lock that Ctrl-C left no time for has not failed" {
  stand_in_tool
  "$TOOL" compare -q --locks native,ticket --runs 3 --warmup 0 -- sh -c 'touch begun; exec sleep 60' > table &
  child=$!
  until [ -e begun ]; do sleep 0.02; done
  kill -INT $child
  status=0
  wait $child || status=$?
  [ $status = 130 ]
  grep -q ticket table
  ! grep -q failed table
}

@test "a program that --json would take for its file is not overwritten" {
  printf '#!/bin/sh\necho hello\n' > program
  chmod +x program
  run -2 "$HEMLOCK" compare --locks native --runs 1 --json ./program
  [[ $output == *"put -- before the program"* ]]
  run -2 "$HEMLOCK" compare --locks native --runs 1 --json ./program true
  [[ $output == *"would be overwritten"* ]]
  [ "$(./program)" = hello ]
}

@test "quiet means nothing on standard error" {
  run -0 --separate-stderr "$HEMLOCK" compare -q --locks native --runs 2 -- true
  [ -z "$stderr" ]
}

@test "json goes to standard output when no file is named, and then alone" {
  run -0 --separate-stderr "$HEMLOCK" compare -q --locks native --runs 2 --json -- true
  python3 -c 'import json, sys; json.loads(sys.argv[1])["schema"]' "$output"
}

@test "every format can be written at once" {
  run -0 --separate-stderr "$HEMLOCK" compare -q --locks native --runs 2 -m time -m cpu -m max-rss \
    --json a.json --csv a.csv --html a.html -- true
  [ "$(wc -l < a.csv)" = 7 ]
  grep -q '</html>' a.html
}
