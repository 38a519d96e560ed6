#!/usr/bin/env bats
# hemlock profile, and what report and diff do with its files. What is recorded is tested in tests/profile.

bats_require_minimum_version 1.5.0

setup() {
  [ -e "$HEMLOCK_BUILD/libhemlock-preload-profile.so" ] || skip "no recorder in this build"
  truth=$HEMLOCK_BUILD/tests/profile_truth
  cd "$BATS_TEST_TMPDIR"
}

record() { "$HEMLOCK" profile -q -o "$1" -- "$truth" >/dev/null; }

@test "profile says what hurts and what to type next, on standard error" {
  run -0 --separate-stderr "$HEMLOCK" profile -o a.prof -- "$truth"
  [[ ${lines[0]} =~ ^wait\ [0-9]+\ [0-9]+$ ]]
  [[ $stderr == *"mutexes carries"*"g_busy"* ]]
  [[ $stderr == *"they can deadlock"* ]]
  [[ $stderr == *"Next: hemlock report "*a.prof* ]]
}

@test "profile passes on the program's exit code and the signal that ended it" {
  run -3 "$HEMLOCK" profile -q -o a.prof -- sh -c 'exit 3'
  run -137 "$HEMLOCK" profile -q -o a.prof -- "$truth" kill
  [ -s a.prof ]
  run -127 "$HEMLOCK" profile -q -- ./no-such-program
}

@test "profile does not overwrite a file that is no profile" {
  echo precious > a.prof
  run -2 "$HEMLOCK" profile -o a.prof -- true
  [ "$(cat a.prof)" = precious ]
}

@test "profile refuses locks that are not ours, with the names of those that are" {
  run -2 "$HEMLOCK" profile --lock native -- true
  run -2 "$HEMLOCK" profile --lock no-such-lock -- true
  [[ $output == *hemlock-ctr* ]]
}

@test "report of a profile comes as text, JSON, folded stacks, a graph and a page" {
  record a.prof
  run -0 "$HEMLOCK" report a.prof --top 3
  [[ ${lines[0]} == *"of the waiting"*g_busy* ]]
  run -0 "$HEMLOCK" report a.prof --json
  [[ $output == *'"machine"'*'"g_busy"'*'"schema"'* ]]
  run -0 "$HEMLOCK" report a.prof --folded -
  [[ $output == *patient_waiter*"waiting_for_g_busy "* ]]
  run -0 "$HEMLOCK" report a.prof --dot -
  [[ $output == digraph*color=red* ]]
  run -0 "$HEMLOCK" report a.prof --html page.html
  grep -q '<svg' page.html
  run -2 "$HEMLOCK" report a.prof --by no-such-order
}

@test "report of a profile that is cut short shows what is left and says so" {
  record a.prof
  head -c 140000 a.prof > b.prof
  run -0 "$HEMLOCK" report b.prof
  [[ $output == *"cut short"* ]]
  head -c 100 a.prof > c.prof
  run -2 "$HEMLOCK" report c.prof
}

@test "diff compares two profiles lock by lock, and not a profile with something else" {
  record a.prof
  record b.prof
  run -0 "$HEMLOCK" diff a.prof b.prof
  [[ $output == *"Waiting per acquisition"*g_busy* ]]
  echo '{}' > c.json
  run -2 "$HEMLOCK" diff a.prof c.json
}

@test "report fits 100 columns, whatever it is asked for" {
  record a.prof
  for how in '--by wait' '--by hold' '--by contention' '--group site' '--top 1' '--top 100'; do
    run -0 "$HEMLOCK" report a.prof $how
    [ "$(wc -L <<< "$output")" -le 100 ]
    [[ ${lines[-1]} == *"hemlock report a.prof --html page.html"* ]]
  done
  run -0 "$HEMLOCK" report a.prof --by hold
  [[ ${lines[0]} == *"of the holding"* ]]
  run -0 "$HEMLOCK" report a.prof --by contention
  [[ ${lines[0]} == *"of the contended acquisitions"* ]]
  run -0 "$HEMLOCK" report a.prof --top 1
  [[ $output == *"more; --top "*"shows them."* ]]
}

@test "report of a damaged profile, or of one made by another version, says so" {
  record a.prof
  cp a.prof damaged.prof
  printf 'xxxxxxxx' | dd of=damaged.prof bs=1 seek=8300 conv=notrunc status=none
  run -0 "$HEMLOCK" report damaged.prof
  [[ $output == *"damaged"* ]]
  cp a.prof other.prof
  printf '\t' | dd of=other.prof bs=1 seek=8 conv=notrunc status=none
  run -2 "$HEMLOCK" report other.prof
  [[ $output == *"format 9"*"use the version that recorded it"* ]]
  run -2 "$HEMLOCK" diff a.prof other.prof
  [[ $output == *"format 9"* ]]
}

@test "diff fails past its threshold, and writes JSON" {
  record a.prof
  # A program in which nobody waits: to it, waiting per acquisition falls; from it, it grows.
  "$HEMLOCK" profile -q -o b.prof -- "$HEMLOCK_BUILD/tests/profile_scenes" ladder
  run -0 "$HEMLOCK" diff a.prof b.prof --fail-if '>5%'
  run -1 "$HEMLOCK" diff b.prof a.prof --fail-if '>5%'
  [[ $output == *"past the threshold"* ]]
  run -0 --separate-stderr "$HEMLOCK" diff a.prof a.prof --json
  [ "$(jq .profile_difference.wait_per_acquisition_ratio <<< "$output")" = 1 ] || [ "$(jq .profile_difference.wait_per_acquisition_ratio <<< "$output")" = 1.0 ]
}
