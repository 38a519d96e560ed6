#!/usr/bin/env bash
# glibc_tests.sh LIBRARY WORK_DIRECTORY [quick|full]: glibc's own tests of mutexes and condition variables, each run
# without and with the library. Succeeds if every test gives the same result both ways.
#
# The tests come from Debian's glibc-source package and are built here; nothing of them is in our tree. A test that
# cannot be built outside of glibc's own build, or that is linked statically, is listed as such.
set -euo pipefail
library=$(realpath "${1:?usage: glibc_tests.sh LIBRARY WORK_DIRECTORY [quick|full]}")
mkdir -p "${2:?}"
work=$(realpath "$2")
size=${3:-${HEMLOCK_TEST_SIZE:-quick}}
limit=60      # seconds for one test
jobs=8        # they sleep more than they compute

archive=$(ls /usr/src/glibc/glibc-2.*.tar.xz 2>/dev/null | head -n 1)
if [ -z "$archive" ]; then
  echo "glibc_tests: install the package glibc-source" >&2
  exit 1
fi
root=$(basename "$archive" .tar.xz)
source=$work/$root
export work source library limit

# A short selection: what is quick and covers each entry point.
quick_tests="cnd-basic cnd-broadcast cnd-timedwait cond1 cond2 cond3 cond4 cond5 cond6 cond8 cond9 cond10 cond11 cond12
  cond14 cond15 cond17 cond20 cond21 cond22 cond24 cond25 cond26 cond27 initializers1 mtx-basic mtx-recursive
  mtx-timedlock mtx-trylock mutex-errorcheck mutex1 mutex2 mutex3 mutex4 mutex5 mutex6 mutex7 mutex8 mutex9 mutex11
  mutexpi1 mutexpi8 mutexpp1 once3 robust1 robust2 robust7 robust8 robustpi1 abstime signal3 cancel1"

prepare() {
  [ -e "$work/ready" ] && return
  rm -rf "$source"
  tar -xf "$archive" -C "$work" --wildcards "$root/nptl/tst-*" "$root/nptl/eintr.c" "$root/sysdeps/pthread/*" \
    "$root/support/*" "$root/include/*.h" "$root/test-skeleton.c" "$root/sysdeps/pthread/eintr.c" 2>/dev/null || true
  # The few of glibc's internal headers that tests use and that stand on their own; all of them at once would hide
  # the system's.
  mkdir -p "$work/include/elf"
  for header in array_length.h libc-diag.h intprops.h libc-pointer-arith.h; do
    ln -sf "$source/include/$header" "$work/include/$header"
  done
  : > "$work/include/config.h"
  echo '#include <pthread.h>' > "$work/include/pthreadP.h"
  : > "$work/include/elf/dl-tunables.h"
  # The tests' support library, as far as they use it and it builds here; what is missing shows when a test is linked.
  mkdir -p "$work/support"
  export paths
  paths=$(grep -o '[A-Z_]*_PATH' "$source/support/support_paths.c" | sort -u | sed 's/.*/-D&="."/' | paste -sd' ')
  (cd "$source/support" && ls check.c delayed_exit.c ignore_stderr.c oom_error.c support_create_timer.c support_mutex_pi_monotonic.c support_record*.c \
    support_paths.c support_set_small*.c support_test_*.c support_quote*.c temp_file.c timespec*.c write_message.c \
    xasprintf.c xc*.c xdl*.c xf*.c xm*.c xopen.c xpipe.c xposix_memalign.c xpthread*.c xraise.c xrealloc.c xset*.c xsig*.c \
    xstr*.c xsysconf.c xunlink.c xwait*.c xwrite.c 2>/dev/null) | xargs -P 2 -n 8 bash -c '
      for file; do
        gcc -O1 -w -D_GNU_SOURCE -DTIMEOUTFACTOR=1 $paths -include limits.h -I"$work/include" -I"$source" -idirafter "$source/support" -c "$source/support/$file" \
          -o "$work/support/${file%.c}.o" 2>/dev/null || true
      done' _
  ar rcs "$work/libsupport.a" "$work"/support/*.o
  touch "$work/ready"
}

# Every test in these directories that names a mutex or a condition variable, itself or through the file it includes.
select_tests() {
  local names=()
  mapfile -t names < <(cd "$source" && grep -lE \
    'pthread_(mutex|cond)_[a-z]+ *\(|\b(mtx|cnd)_[a-z]+ *\(|PTHREAD_(MUTEX|COND)' nptl/tst-*.c sysdeps/pthread/tst-*.c)
  local pattern
  pattern=$(printf '%s\n' "${names[@]##*/}" | paste -sd'|' | sed 's/\./\\./g')
  local round
  for round in 1 2 3; do
    mapfile -t names < <(cd "$source" && { printf '%s\n' "${names[@]}"
      grep -lE "include *[<\"]($pattern)[>\"]" nptl/tst-*.c sysdeps/pthread/tst-*.c || true; } | sort -u)
    pattern=$(printf '%s\n' "${names[@]##*/}" | paste -sd'|' | sed 's/\./\\./g')
  done
  printf '%s\n' "${names[@]}"
}

build_one() {  # a source file, relative to the tree: builds it into $work/tests
  local file=$1 name extra=""
  name=$(basename "$file" .c)
  case $name in
    *x[0-9]|tst-cond-except|tst-cancelx*|tst-oncey*) extra="-fexceptions" ;;
    tst-*-time64) extra="-D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64" ;;
  esac
  (cd "$source/$(dirname "$file")" && gcc -O1 -w -std=gnu11 -D_GNU_SOURCE $extra -I. -I../nptl -I"$source/sysdeps/pthread" \
    -I"$source/nptl" -I"$work/include" -I"$source" "$name.c" -o "$work/tests/$name" -Wl,--as-needed "$work/libsupport.a" \
    -lpthread -lrt -ldl -lm) >"$work/tests/$name.build" 2>&1
}

run_one() {  # a test's name: prints its line of the table
  local name=$1 without with
  if [ ! -x "$work/tests/$name" ]; then echo "$name unbuilt unbuilt"; return; fi
  without=0; with=0
  (cd "$work/tests" && timeout -k 5 "$limit" env TIMEOUTFACTOR=2 "./$name" >"$name.without" 2>&1) || without=$?
  (cd "$work/tests" && LD_PRELOAD=$library timeout -k 5 "$limit" env TIMEOUTFACTOR=2 "./$name" >"$name.with" 2>&1) || with=$?
  echo "$name $without $with"
}

prepare
mkdir -p "$work/tests"
mapfile -t files < <(select_tests | grep -v -e '-static\.c$' -e 'mod\.c$')
if [ "$size" = quick ]; then
  wanted=$(printf '/tst-%s.c\n' $quick_tests)
  mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -F "$wanted")
fi
export -f build_one run_one
printf '%s\n' "${files[@]}" | xargs -P 2 -n 1 bash -c '
  [ -e "$work/tests/$(basename "$0" .c).build" ] || build_one "$0" || true'
printf '%s\n' "${files[@]}" | sed 's,.*/,,; s/\.c$//' | xargs -P "$jobs" -n 1 bash -c 'run_one "$0"' | sort > "$work/table"

# Exit codes of glibc's tests: 0 passed, 77 not supported here, anything else failed; 124 and 137 are our time limit.
awk '
  function word(code) {
    if (code == "unbuilt") return "not built"
    if (code == 0) return "pass"
    if (code == 77) return "unsupported"
    return code == 124 || code == 137 ? "hangs" : "fail(" code ")"
  }
  BEGIN { printf "%-36s %-14s %s\n", "test", "glibc", "with the library" }
  {
    printf "%-36s %-14s %-14s%s\n", $1, word($2), word($3), $2 == $3 ? "" : "  DIFFERS"
    total++; if ($2 != $3) different++; if ($2 == "unbuilt") unbuilt++
    if ($2 == "0") passed++; if ($3 == "0") with++
  }
  END {
    printf "%d tests, %d not built here; ", total, unbuilt
    printf "%d pass with glibc, %d with the library; %d differ\n", passed, with, different
    exit different > 0 || passed < total / 2
  }' "$work/table"
