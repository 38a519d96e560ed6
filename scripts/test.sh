#!/usr/bin/env bash
# test.sh quick|full: every test of the tree. The default build runs everything; the sanitizers and clang sharpen the
# library's own tests.
set -euo pipefail
cd "$(dirname "$0")/.."
size=${1:?usage: test.sh quick|full}
export HEMLOCK_TEST_SIZE=$size
jobs=$(nproc)

# One program at a time: threads outnumber cores in most tests already. What measures or watches other processes may be
# disturbed by a busy machine, and is tried once more before it counts as failed; the library's own tests are not.
ctest --preset default --no-tests=error -L library
ctest --preset default --no-tests=error -LE library --repeat until-pass:2

# Quick: each sanitizer once, each compiler once. Full: both sanitizers with both compilers, and the tools with clang as well.
presets=(asan clang-tsan)
[ "$size" = full ] && presets=(asan tsan clang clang-asan clang-tsan)
for preset in "${presets[@]}"; do
  echo "== $preset"
  tools=OFF
  [ "$preset" = clang ] && tools=ON
  cmake --preset "$preset" -DHEMLOCK_TOOLS=$tools >/dev/null
  cmake --build --preset "$preset" -j "$jobs"
  ctest --preset "$preset" --no-tests=error -L library
done
