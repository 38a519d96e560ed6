#!/usr/bin/env bash
# test.sh quick|full: every test of the tree, in every build that matters. The default build runs everything; the
# sanitizer builds and clang build and run the library's own tests, which are the ones that they can sharpen.
set -euo pipefail
cd "$(dirname "$0")/.."
size=${1:?usage: test.sh quick|full}
export HEMLOCK_TEST_SIZE=$size
jobs=$(nproc)

# Threads outnumber cores in most tests already: one program at a time keeps their timeouts meaningful.
ctest --preset default --no-tests=error

for preset in asan tsan clang clang-asan clang-tsan; do
  echo "== $preset"
  tools=(-DHEMLOCK_TOOLS=OFF)
  [ "$preset" = clang ] && tools=()  # clang also builds the tools, warning-free
  cmake --preset "$preset" "${tools[@]}" >/dev/null
  cmake --build --preset "$preset" -j "$jobs"
  if [ "$preset" = clang ]; then
    ctest --preset clang --no-tests=error -L library
  else
    ctest --preset "$preset" --no-tests=error
  fi
done
