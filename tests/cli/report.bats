#!/usr/bin/env bats
# hemlock report

load helper

@test "report prints a results file as a table" {
  result_file a.json 0.001 0.002
  run -0 "$HEMLOCK" report a.json
  [[ $output == *"Made up"* && $output == *1.50ms* ]]
}

@test "report writes a page, CSV and SVG files" {
  result_file a.json 0.001 0.002
  mkdir svg
  run -0 "$HEMLOCK" report a.json --html a.html --csv a.csv --svg svg
  [ "$output" = svg/made-up.svg ]
  grep -q '<svg' svg/made-up.svg
  grep -q 'Made up' a.html
  [ "$(wc -l < a.csv)" = 5 ]
}

@test "a chart without a sample is passed over, the others are drawn" {
  result_file a.json 0.001
  python3 -c 'import json
document = json.load(open("a.json"))
empty = json.loads(json.dumps(document["experiments"][0]))
empty["name"] = "empty"
for point in empty["series"][0]["points"]: point["samples"] = []
document["experiments"].insert(0, empty)
json.dump(document, open("a.json", "w"))'
  mkdir svg
  run -0 --separate-stderr "$HEMLOCK" report a.json --svg svg
  [ "$output" = svg/made-up.svg ]
  [[ $stderr == *"'empty' has no sample"* ]]
}

@test "report keeps an old page when the results cannot be read" {
  echo old > a.html
  run -2 "$HEMLOCK" report missing.json --html a.html
  [ "$(cat a.html)" = old ]
}

@test "report names an output that cannot be written" {
  result_file a.json 1
  run -125 "$HEMLOCK" report a.json --html /no/such/folder/a.html
  [[ $output == *"/no/such/folder/a.html"* ]]
}

@test "colour is for terminals alone, and NO_COLOR refuses it there" {
  command -v script > /dev/null || skip "script(1) is not here"
  result_file a.json 0.001 0.002
  unset NO_COLOR
  export TERM=xterm
  [[ $("$HEMLOCK" report a.json) != *$'\e['* ]]
  [[ $(script -qec "'$HEMLOCK' report a.json" /dev/null) == *$'\e['* ]]
  [[ $(NO_COLOR=1 script -qec "'$HEMLOCK' report a.json" /dev/null) != *$'\e['* ]]
}
