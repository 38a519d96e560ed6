#!/usr/bin/env bash
# tidy.sh [FILE...]: clang-tidy, by .clang-tidy, over the given sources or all of src/. Needs a configured build/.
set -euo pipefail
cd "$(dirname "$0")/.."
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files 'src/*.cpp')
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p build --quiet
