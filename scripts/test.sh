#!/usr/bin/env bash
# test.sh quick|full: every test of the tree, in every build that matters.
set -euo pipefail
cd "$(dirname "$0")/.."
size=${1:?usage: test.sh quick|full}
export HEMLOCK_TEST_SIZE=$size
ctest --preset default
