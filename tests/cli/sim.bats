#!/usr/bin/env bats
# hemlock sim: simulated runs, traces, machines, and what it says to wrong words.

bats_require_minimum_version 1.5.0

@test "mutexbench is the same to the bit when run again, and says so in valid JSON" {
  for turn in 1 2; do
    "$HEMLOCK" sim mutexbench --locks hemlock-ctr,mcs --threads 2,8 --seeds 3 -q --json "$BATS_TEST_TMPDIR/$turn.json"
  done
  jq -e '.schema and .version and .command and .machine' "$BATS_TEST_TMPDIR/1.json"
  jq -e '[.experiments[].series[].points[].samples | length] | unique == [3]' "$BATS_TEST_TMPDIR/1.json"
  cmp <(jq .experiments "$BATS_TEST_TMPDIR/1.json") <(jq .experiments "$BATS_TEST_TMPDIR/2.json")
}

@test "multiwait and ring print a table" {
  run -0 --separate-stderr "$HEMLOCK" sim multiwait --locks mcs --threads 4 --seeds 2 -q
  [[ $output == *"leader steps/s"* ]]
  run -0 --separate-stderr "$HEMLOCK" sim ring --threads 4 --seeds 2 -q
  [[ $output == *load* && $output == *CAS* ]]
}

@test "a trace shows the upgrade that CTR avoids" {
  run -0 "$HEMLOCK" sim mutexbench --trace --threads 4 --locks hemlock-ctr
  [[ $output == *'CAS "take" succeeds'* && $output == *"B is inside"* ]]
}

@test "a trace is drawn as well, and only a trace" {
  "$HEMLOCK" sim mutexbench --trace --threads 4 --locks hemlock-naive,hemlock-ctr --picture "$BATS_TEST_TMPDIR/two.svg"
  /usr/bin/python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$BATS_TEST_TMPDIR/two.svg"
  grep -q 'hemlock-naive: B is inside' "$BATS_TEST_TMPDIR/two.svg"
  grep -q 'CAS take, succeeds' "$BATS_TEST_TMPDIR/two.svg"
  run -2 "$HEMLOCK" sim mutexbench --threads 4 --picture "$BATS_TEST_TMPDIR/none.svg"
  [[ $output == *"--trace"* ]]
  run -125 "$HEMLOCK" sim mutexbench --trace --threads 4 --picture /no/such/folder/two.svg
}

@test "speed says how many acquisitions the simulator makes" {
  run -0 "$HEMLOCK" sim speed --locks mcs,hemlock-ctr --threads 8 --seeds 2
  [[ $output == *"per CPU second"* && $output == *hemlock-ctr* ]]
}

@test "machines lists every number with its origin" {
  run -0 "$HEMLOCK" sim machines
  [[ $output == *sparc-t7-2* && $output == *literature* && $output == *hypothesis* ]]
  "$HEMLOCK" sim machines --json | jq -e '[.machines[].times[].source] | all(length > 0)'
}

@test "an unknown machine or lock is answered with the known ones, exit 2" {
  run -2 "$HEMLOCK" sim ring --machine vax
  [[ $output == *intel-x5-2* ]]
  run -2 "$HEMLOCK" sim mutexbench --locks nolock
  [[ $output == *hemlock-ctr* ]]
  run -2 "$HEMLOCK" sim mutexbench --locks hemlock-ctr --wait park
  [[ $output == *"cannot park"* ]]
}

@test "a profile file with a mistake is refused with the mistake" {
  echo '{"based_on": "intel-x5-2", "sokets": 1}' >"$BATS_TEST_TMPDIR/mine.json"
  run -2 "$HEMLOCK" sim ring --machine "$BATS_TEST_TMPDIR/mine.json"
  [[ $output == *sokets* ]]
}
