#!/usr/bin/env bash
# gdb_printer.sh hemlock_gdb.py program: what gdb shows of the program's locks at look_here().
set -euo pipefail
script=$1 program=$2
command -v gdb >/dev/null || { echo "gdb is not installed" >&2; exit 77; }
# Where tracing another process is forbidden there is nothing to look at.
seen=$(gdb -nx -batch -ex "source $script" -ex 'break look_here' -ex run -ex 'print free_lock' \
  -ex 'print held_lock' -ex 'print fifo_lock' -ex kill "$program" 2>&1) || true
case $seen in *"ptrace"* | *"not permitted"*) exit 77 ;; esac
for expected in '= hemlock::mutex, free' '= hemlock::mutex, held by thread [0-9]+ \(LWP\), 1 waiting = \{' \
  '\[0\] = "?asleep' '= hemlock::fifo_mutex, held by thread'; do
  grep -qE "$expected" <<<"$seen" || { printf 'gdb showed:\n%s\nexpected: %s\n' "$seen" "$expected" >&2; exit 1; }
done
