#!/usr/bin/env bash
# readme.sh [RESULTS.json]: makes the table and the picture in README.md anew, from results that `hemlock bench` wrote
# with --json. Without a file it measures first: about four minutes, on a machine with nothing else to do.
set -euo pipefail
cd "$(dirname "$0")/.."

tool=${HEMLOCK:-build/hemlock}
folder=docs/img
results=$folder/readme.json
mkdir -p "$folder"
if [ $# -gt 0 ]; then
  [ "$1" -ef "$results" ] || cp "$1" "$results"
else
  "$tool" bench mutexbench --locks mutex,fifo,hemlock-ctr,mcs,ticket,std::mutex,absl::Mutex --threads 1,1c-16cx2 \
    --cs 5 --ncs uniform:400 --runs 7 --duration 500ms --json "$results" >/dev/null
fi

# One figure is enough, with what is to be said of it. Its samples stay beside the picture.
first=$(mktemp --suffix=.json)
trap 'rm -f "$first" "$first.md"' EXIT
jq '.experiments[0].title as $title | [.experiments[1:][].title] as $others | .experiments |= .[:1]
    | .warnings |= map(select(.what as $what | ($what | startswith($title)) or
                              ($others | any(. as $other | $what | startswith($other)) | not)))' "$results" >"$first"
cp "$first" "$results"
picture=$("$tool" report "$first" --svg "$folder")

{
  echo
  echo "    $(jq -r '.command | sub("^.*/hemlock "; "hemlock ")' "$results")"
  echo
  echo '```text'
  NO_COLOR=1 "$tool" report "$first" | sed 's/[[:space:]]*$//'
  echo '```'
  echo
  echo "![$(jq -r '.experiments[0].title' "$results"): $(jq -r '.experiments[0].shows' "$results")]($picture)"
  echo
} >"$first.md"

awk -v file="$first.md" '
  /<!-- measured: end/ { inside = 0 }
  !inside { print }
  /<!-- measured: begin/ { while ((getline line < file) > 0) print line; inside = 1 }' README.md >"$first.readme"
cat "$first.readme" >README.md
rm -f "$first.readme"
echo "README.md and $picture are made from $results"
