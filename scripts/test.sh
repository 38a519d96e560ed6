#!/usr/bin/env bash
# test.sh quick|full: every test of the tree, in every build that matters. The default build runs everything. The other
# builds sharpen the library's own tests; the full size also builds the tools with clang, warning-free.
set -euo pipefail
cd "$(dirname "$0")/.."
size=${1:?usage: test.sh quick|full}
export HEMLOCK_TEST_SIZE=$size
jobs=$(nproc)

# One program at a time: threads outnumber cores in most tests already. What measures or watches other processes may be
# disturbed by a busy machine, and is tried once more before it counts as failed; the library's own tests are not.
ctest --preset default --no-tests=error -L library
ctest --preset default --no-tests=error -LE library --repeat until-pass:2

for preset in asan tsan clang clang-asan clang-tsan; do
  echo "== $preset"
  tools=OFF
  [ "$size" = full ] && [ "$preset" = clang ] && tools=ON
  cmake --preset "$preset" -DHEMLOCK_TOOLS=$tools >/dev/null
  cmake --build --preset "$preset" -j "$jobs"
  ctest --preset "$preset" --no-tests=error -L library
done
