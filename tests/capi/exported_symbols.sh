#!/usr/bin/env bash
# exported_symbols.sh libhemlock.so hemlock.h: the library exports exactly the header's functions, with the version
# HEMLOCK_0.1, and the threads' records.
set -euo pipefail
library=$1 header=$2

declared=$(grep -oE '\bhemlock_[a-z_]+\(' "$header" | tr -d '(' | sort -u)
exported=$(nm -D --defined-only --with-symbol-versions "$library" | awk '$2 == "T" {print $3}' | sort -u)
expected=$(printf '%s\n' "$declared" | sed 's/$/@@HEMLOCK_0.1/')
diff <(printf '%s\n' "$expected") <(printf '%s\n' "$exported") >&2 || {
  echo "what the header declares (<) is not what the library exports (>)" >&2
  exit 1
}

others=$(nm -D --defined-only --with-symbol-versions "$library" |
  awk '$2 != "T" && $2 != "A" && $3 !~ /^_ZN7hemlock13thread_record.*@@HEMLOCK_RECORDS$/ {print $3}')
[ -z "$others" ] || { echo "exported, but neither API nor record: $others" >&2; exit 1; }
