#!/usr/bin/env bats
# hemlock run

load helper

@test "run gives the program's exit code" {
  run -3 "$HEMLOCK" run --lock native -- sh -c 'exit 3'
}

@test "run passes arguments, input and output through untouched" {
  run -0 sh -c 'echo hello | "$0" run --lock native -- sh -c "cat; echo \"\$1\"" sh "a  b" -- -x' "$HEMLOCK"
  [ "$output" = $'hello\na  b' ]
}

@test "run needs no dashes before the program" {
  run -0 "$HEMLOCK" run --lock native echo -n --lock mcs
  [ "$output" = "--lock mcs" ]
}

@test "run reports a missing program as env does: 127" {
  run -127 "$HEMLOCK" run --lock native -- ./no-such-program
  [[ $output == *no-such-program* ]]
}

@test "run reports a file that is no program as env does: 126" {
  echo data > file
  run -126 "$HEMLOCK" run --lock native -- ./file
}

@test "run of a program that a signal kills ends as that program: 128+n" {
  run -143 "$HEMLOCK" run --lock native -- sh -c 'kill -TERM $$'
}

@test "an unknown lock is wrong usage, and the known ones are listed" {
  run -2 "$HEMLOCK" run --lock no-such-lock -- true
  [[ $output == *no-such-lock* && $output == *native* && $output == *hemlock-ctr* ]]
}

@test "a lock that cannot live inside a pthread_mutex_t is refused with its own reason, and those that can" {
  for choice in hemlock-ah:destroyed hemlock-stack:kept clh:"owns memory" hemlock-element:reclamation; do
    run -2 "$HEMLOCK" run --lock "${choice%%:*}" -- true
    [[ $output == *"${choice%%:*}"*"${choice#*:}"*hemlock-ctr* ]]
  done
}

@test "an unknown waiting policy is wrong usage, and the known ones are listed" {
  run -2 "$HEMLOCK" run --lock mcs --wait forever -- true
  [[ $output == *spin*yield*park*auto* ]]
}

@test "a waiting policy that the lock does not have is refused with those it has" {
  run -2 "$HEMLOCK" run --lock ticket --wait park -- true
  [[ $output == *"spin, yield, auto"* ]]
}

@test "no program at all is wrong usage" {
  run -2 "$HEMLOCK" run --lock native
}

@test "an option that does not exist is wrong usage" {
  run -2 "$HEMLOCK" run --no-such-option true
}

@test "run puts the library beside the tool first, and keeps other preloads" {
  stand_in_tool
  echo 'int other;' | cc -shared -fPIC -x c -o other.so -
  LD_PRELOAD=$scratch/other.so run -0 "$TOOL" run --lock ticket --wait yield --stats -- \
    sh -c 'echo "$LD_PRELOAD $HEMLOCK_LOCK $HEMLOCK_WAIT $HEMLOCK_STATS"'
  [ "$output" = "$scratch/bin/libhemlock-preload.so:$scratch/other.so ticket yield 1" ]
}

@test "run keeps what the caller's environment asks of the library" {
  stand_in_tool
  HEMLOCK_STATS=/tmp/file HEMLOCK_WAIT=park run -0 "$TOOL" run --lock mcs -- sh -c 'echo "$HEMLOCK_WAIT $HEMLOCK_STATS"'
  [ "$output" = "park /tmp/file" ]
}

@test "run finds the library of an installation" {
  mkdir lib
  stand_in_tool lib
  run -0 "$TOOL" run --lock ticket -- sh -c 'echo "$LD_PRELOAD"'
  [ "$output" = "$scratch/lib/libhemlock-preload.so" ]
}

@test "run says which file is missing when there is no library" {
  cp "$HEMLOCK" hemlock
  run -125 ./hemlock run --lock ticket -- true
  [[ $output == *libhemlock-preload.so* ]]
}

@test "a native run is native even inside a run with a lock" {
  stand_in_tool
  run -0 "$TOOL" run --lock ticket -- "$TOOL" run --lock native -- sh -c 'echo "[$LD_PRELOAD$HEMLOCK_LOCK]"'
  [ "$output" = "[]" ]
}

@test "the locks that run takes are those that the preload library offers" {
  [ -e "$HEMLOCK_BUILD/libhemlock-preload.so" ] || skip "this build has no preload library"
  known=$("$HEMLOCK" run --lock '?' -- true 2>&1 | sed 's/.*known: native, //; s/, /\n/g' | sort)
  # The library itself tells what it offers when it is asked for something else.
  offered=$(LD_PRELOAD=$HEMLOCK_BUILD/libhemlock-preload.so HEMLOCK_LOCK='?' "$HEMLOCK" list 2>&1 > /dev/null |
    sed -n 's/.*(offered: \(.*\)).*/\1/p' | tr ' ' '\n' | sort)
  diff <(echo "$known") <(echo "$offered")
}
