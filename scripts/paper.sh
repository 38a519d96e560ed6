#!/usr/bin/env bash
# paper.sh [OPTIONS of hemlock paper]: measures what can be measured here (about three minutes), then makes docs/paper.md.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/paper
mkdir -p $out
bench=(build/hemlock bench)
brief=(--runs 5 --duration 200ms)

"${bench[@]}" latency --locks paper --wait spin "${brief[@]}" --json $out/latency.json
"${bench[@]}" --preset max-contention --wait auto --threads 1,2,4,8 "${brief[@]}" --json $out/maximum.json
"${bench[@]}" --preset moderate-contention --wait auto --threads 1,2,4,8 "${brief[@]}" --json $out/moderate.json
"${bench[@]}" --preset multi-waiting --wait auto --threads 2,4,8 "${brief[@]}" --json $out/multiwait.json
"${bench[@]}" ring --threads 2 "${brief[@]}" --json $out/ring.json
"${bench[@]}" leveldb --locks native,mutex,mcs,ticket,hemlock-ctr,hemlock-naive --threads 1,2,4,8,16 --runs 3 \
  --duration 500ms --entries 200000 --json $out/leveldb.json

# Who waits behind whom in LevelDB: a run with 64 threads under the profiler.
rm -rf $out/db
"${bench[@]}" leveldb-worker --fill --db $out/db --entries 200000 --duration 1ms >/dev/null
build/hemlock profile -q -o $out/leveldb.prof -- "${bench[@]}" leveldb-worker --db $out/db --entries 200000 --threads 64 \
  --duration 2s >/dev/null
build/hemlock report $out/leveldb.prof --json $out/leveldb-profile.json
rm -rf $out/db $out/leveldb.prof

build/hemlock paper "$@" --profile $out/leveldb-profile.json --html $out/paper.html --json $out/paper.json --measured $out/latency.json \
  --measured $out/maximum.json --measured $out/moderate.json --measured $out/multiwait.json \
  --measured $out/ring.json --measured $out/leveldb.json
