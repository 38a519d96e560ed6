#!/usr/bin/env bats
# hemlock diff

load helper

@test "diff shows ratio, p-value and the geometric mean" {
  result_file a.json 1.00 1.01 1.02 1.03 1.04
  result_file b.json 2.00 2.02 2.04 2.06 2.08
  run -0 "$HEMLOCK" diff a.json b.json
  [[ $output == *2.000* && $output == *worse* ]]
  [[ $output == *"0.500 times as good"* ]]
}

@test "diff exits with 1 past the threshold, and says how many rows" {
  result_file a.json 1.00 1.01 1.02 1.03 1.04
  result_file b.json 1.10 1.11 1.12 1.13 1.14
  run -1 "$HEMLOCK" diff a.json b.json --fail-if '>5%'
  [[ $output == *"2 rows are past the threshold"* ]]
  run -0 "$HEMLOCK" diff a.json b.json --fail-if '>20%'
  run -0 "$HEMLOCK" diff b.json a.json --fail-if '>5%'
}

@test "what can be chance does not fail" {
  result_file a.json 1.00 1.30 0.80 1.10 0.95
  result_file b.json 1.12 1.35 0.85 1.20 0.90
  run -0 "$HEMLOCK" diff a.json b.json --fail-if '>5%'
  [[ $output == *"no difference seen"* ]]
}

@test "a threshold that is none is wrong usage" {
  result_file a.json 1
  run -2 "$HEMLOCK" diff a.json a.json --fail-if 'a lot'
}

@test "a file that is missing, broken or of another kind is wrong usage and named" {
  result_file a.json 1
  run -2 "$HEMLOCK" diff a.json missing.json
  [[ $output == *missing.json* ]]
  echo '{' > broken.json
  run -2 "$HEMLOCK" diff broken.json a.json
  [[ $output == *broken.json* ]]
  echo '{"schema": 77}' > other.json
  run -2 "$HEMLOCK" diff other.json a.json
  [[ $output == *"schema 77"* ]]
}

@test "to nothing there is no ratio, and the mean is over the other rows" {
  result_file a.json 0 0 0 0
  result_file b.json 1 1 1 1
  run -0 "$HEMLOCK" diff a.json b.json
  [[ $output == *–* && $output != *inf* && $output != *nan* && $output != *"All in all"* ]]
  run -1 "$HEMLOCK" diff a.json b.json --fail-if '>5%'
}

@test "diff writes its rows as json" {
  result_file a.json 1.00 1.01 1.02 1.03 1.04
  run -0 --separate-stderr "$HEMLOCK" diff a.json a.json --json
  python3 -c 'import json, sys
document = json.loads(sys.argv[1])
assert [row["ratio"] for row in document["rows"]] == [1, 1]
assert document["machine"]["cpus_online"] >= 1' "$output"
}
