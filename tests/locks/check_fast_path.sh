#!/usr/bin/env bash
# check_fast_path.sh PROGRAM: in an executable, the uncontended lock of hemlock-ctr is one xchg and its unlock one lock
# cmpxchg, with no call on the way to ret. x86-64 only.
set -euo pipefail
program=$1
[ "$(uname -m)" = x86_64 ] || { echo "1..0 # the golden code is x86-64's"; exit 0; }

straight_path() {  # the instructions of a function up to its first ret: the way taken when no branch is
  objdump -d --no-show-raw-insn --disassemble="$1" "$program" | awk -F'\t' '/^ /{print $2} $2 ~ /^ret/{exit}'
}

failures=0
expect() {  # expect FUNCTION PATTERN COUNT
  local seen
  seen=$(straight_path "$1" | grep -cE "$2" || true)
  if [ "$seen" != "$3" ]; then
    echo "$1: expected $3 of /$2/, saw $seen:" >&2
    straight_path "$1" >&2
    failures=$((failures + 1))
  fi
}
expect fast_path_lock '^xchg' 1
expect fast_path_lock '^(lock|call)' 0
expect fast_path_lock '^ret' 1
expect fast_path_unlock '^lock cmpxchg' 1
expect fast_path_unlock '^(xchg|call)' 0
expect fast_path_unlock '^ret' 1
exit $((failures > 0))
