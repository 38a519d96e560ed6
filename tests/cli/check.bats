#!/usr/bin/env bats
# hemlock check: what it prints and how it ends. That all locks pass is the matter of tests/check.

bats_require_minimum_version 1.5.0

@test "a lock passes every scenario, and its negative controls fail" {
  run -0 --separate-stderr "$HEMLOCK" check hemlock-ctr
  [[ $output == *"hemlock-ctr/spin/one-lock/2+1+1"*"no violation"* ]]
  [[ $output == *"hemlock-ctr/spin/signal/1+1+1"*"violation found, as the paper says"* ]]
  [[ $output == *"hemlock-ctr, if unlock does not wait for the acknowledgement: violation found"* ]]
  [[ $output != *"NO VIOLATION"* ]]
  [[ $output != *"in the first"* ]]
}

@test "each order of a lock is needed: weakened by a step, a scenario fails" {
  run -0 --separate-stderr "$HEMLOCK" check --orders hemlock-ctr
  [[ $output == *"| hemlock-ctr | take | acq_rel | acquire | "*" | use after free |"* ]]
  [[ $output != *"nothing"* ]]
}

@test "progress goes to stderr" {
  run -0 --separate-stderr "$HEMLOCK" check tas --scenario one-lock --threads 2
  [[ $output != *"checked"* ]]
  [[ $stderr == *"2 of 2 checked"* ]]
}

@test "results are also one JSON document" {
  run -0 --separate-stderr "$HEMLOCK" check hemlock-ctr --scenario one-lock --json
  [ "$(jq -r .schema <<< "$output")" = 1 ]
  [ "$(jq '[.cases[] | select(.expected | not)] | length' <<< "$output")" = 0 ]
  [ "$(jq '.cases | length' <<< "$output")" -ge 4 ]
}

@test "and a table in Markdown" {
  run -0 --separate-stderr "$HEMLOCK" check tas --markdown
  [[ $output == *"| tas | spin | "* ]]
}

@test "a saved violation is replayed step by step, each time the same" {
  cd "$BATS_TEST_TMPDIR"
  mkdir saved
  run -0 --separate-stderr "$HEMLOCK" check hemlock-ah --scenario destroy --threads 2 --save saved --json
  file=$(jq -r '.cases[0].replay' <<< "$output")
  jq -r '.cases[0].steps[]' <<< "$output" > first
  run -1 --separate-stderr "$HEMLOCK" check --replay "$file"
  [[ $output == *"use after free"* ]]
  diff first - <<< "$output"
  # Of a control, too: the change to the lock is in the file.
  run -0 --separate-stderr "$HEMLOCK" check hemlock-signal --save saved
  run -1 "$HEMLOCK" check --replay saved/hemlock-check-hemlock-signal-spin-one-lock-1+1-drained.json
}

@test "an unknown lock or scenario is wrong usage, and the known ones are listed" {
  run -2 "$HEMLOCK" check no-such-lock
  [[ $output == *hemlock-ctr* ]]
  run -2 "$HEMLOCK" check --scenario no-such-scenario
  [[ $output == *one-lock* ]]
  run -2 "$HEMLOCK" check tas --save no-such-directory
}

@test "a file that check has not saved cannot be replayed" {
  run -2 "$HEMLOCK" check --replay /dev/null
  echo '{"case": "no/such/case/1+1", "changes": [], "full": false, "path": []}' > "$BATS_TEST_TMPDIR/other.json"
  run -2 "$HEMLOCK" check --replay "$BATS_TEST_TMPDIR/other.json"
}
