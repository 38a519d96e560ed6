#!/usr/bin/env bats
# What is written as JSON is what docs/json.md says.

load helper

valid() {
  /usr/bin/python3 - "$BATS_TEST_DIRNAME/../../docs/schema.json" "$1" <<'PYTHON'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
errors = list(jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(sys.argv[2]))))
for error in errors:
    print(list(error.absolute_path), error.message)
sys.exit(bool(errors))
PYTHON
}

@test "the schema refuses what is not a document" {
  echo '{"schema": 1, "version": "0.1.0", "command": "hemlock"}' > bad.json
  run -1 valid bad.json
  [[ $output == *machine* ]]
}

@test "compare writes what the schema says, failures included" {
  stand_in_tool
  run -5 "$TOOL" compare -q --locks native,ticket --runs 3 -m time -m max-rss --json a.json -- \
    sh -c '[ "$HEMLOCK_LOCK" != ticket ] || exit 5'
  run -0 valid a.json
}

@test "diff writes what the schema says" {
  result_file a.json 1.00 1.01 1.02 1.03 1.04
  run -0 "$HEMLOCK" diff a.json a.json --fail-if '>5%' --json diff.json
  run -0 valid diff.json
}

@test "doctor writes what the schema says" {
  run "$HEMLOCK" doctor --json doctor.json -- sh
  run -0 valid doctor.json
}

@test "bench writes what the schema says" {
  "$HEMLOCK" --help | grep -q '^  bench ' || skip "this tool has no bench"
  run -0 "$HEMLOCK" bench mutexbench -q --locks hemlock-ctr --threads 1 --runs 2 --duration 0.02 --json bench.json
  run -0 valid bench.json
}

@test "sim writes what the schema says" {
  "$HEMLOCK" --help | grep -q '^  sim ' || skip "this tool has no sim"
  run -0 "$HEMLOCK" sim mutexbench -q --locks hemlock-ctr --threads 1,2 --seeds 1 --json sim.json
  run -0 valid sim.json
}
