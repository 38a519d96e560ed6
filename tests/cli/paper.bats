#!/usr/bin/env bats
# hemlock paper: everything with one seed, and what it says to wrong words.

load helper

@test "the smallest size makes the text, the page and valid JSON with every table and figure" {
  "$HEMLOCK" bench latency --locks paper --wait spin --runs 2 --duration 5ms -q --json latency.json
  "$HEMLOCK" paper --smoke -q --measured latency.json --markdown paper.md --html paper.html --json paper.json
  for part in '## Space' 'offcore access rates' '## Claims' 'MutexBench, maximum contention, Intel' \
    'MutexBench, moderate contention, Intel' 'maximum contention, SPARC' 'moderate contention, SPARC' \
    'maximum contention, AMD' 'moderate contention, AMD' '### Multi-waiting' '### Ring' '## Measured' 'Uncontended' \
    '## Sensitivity' '## What each hypothesis changes' '## What the paper left out' '## The simulated machines' \
    'does not show'; do
    grep -qi "$part" paper.md || { echo "no $part"; false; }
  done
  for lock in hemlock-overlap hemlock-ah hemlock-chain hemlock-table mutex fifo; do grep -q "^| $lock |" paper.md; done
  grep -q '<td>2 (2)</td>' paper.html
  jq -e '[.claims[].verdict] | length > 15 and all(. == "confirmed" or . == "not confirmed"
         or . == "reproduced only by a fit" or . == "cannot be told here")' paper.json
  jq -e '.claims[] | select(.claim | startswith("At 1 thread")) | .how == "measured"' paper.json
  /usr/bin/python3 - "$BATS_TEST_DIRNAME/../../docs/schema.json" paper.json <<'PYTHON'
import json, sys
import jsonschema
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))
PYTHON
}

@test "an output that cannot be written is said before anything is simulated" {
  SECONDS=0
  for which in markdown html json; do
    run -125 timeout -s KILL 20 "$HEMLOCK" paper --smoke "--$which" /no/such/folder/out \
      $([ $which = markdown ] || echo --markdown paper.md)
    [[ $output == *"/no/such/folder"* ]]
  done
  [ $SECONDS -lt 15 ]
  [ ! -e paper.md ]
}

@test "measurements that cannot be read are wrong usage, said before anything is simulated" {
  echo '{}' > empty.json
  for file in missing.json empty.json; do
    run -2 timeout -s KILL 20 "$HEMLOCK" paper --markdown - --html "" --measured $file
    [[ $output == *"$file"* ]]
    run -2 timeout -s KILL 20 "$HEMLOCK" paper --markdown - --html "" --profile $file
    [[ $output == *"$file"* ]]
  done
}

@test "a recorded run of LevelDB answers the claim about its locks" {
  echo '{"profile": {"threads": 64, "acquisitions": 1000, "nested_calls": 24, "most_locks_held": 2,
    "most_waiting_on_one_grant": 1}}' > profile.json
  "$HEMLOCK" paper --smoke -q --profile profile.json --markdown paper.md --html "" --json paper.json
  jq -e '.claims[] | select(.claim | startswith("In LevelDB at most")) | .how == "measured" and .verdict == "confirmed"' \
    paper.json
  [ ! -e paper.html ]
}

@test "sizes exclude each other, and an unknown option is wrong usage" {
  run -2 timeout -s KILL 20 "$HEMLOCK" paper --quick --smoke
  run -2 timeout -s KILL 20 "$HEMLOCK" paper --fast
}
