#!/usr/bin/env bats
# hemlock list, and what holds for the tool as a whole.

bats_require_minimum_version 1.5.0

@test "list shows each lock in a row of its own" {
  run -0 "$HEMLOCK" list
  [[ $output == *hemlock-naive* ]]
  [[ $output == *hemlock-ctr* ]]
}

@test "the tool says its version" {
  run -0 "$HEMLOCK" --version
  [[ $output =~ ^hemlock\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "no subcommand at all is wrong usage" {
  run -2 "$HEMLOCK"
}

@test "an unknown subcommand is wrong usage" {
  run -2 "$HEMLOCK" no-such-subcommand
}

# space NAME FIELD: a field of a lock's space in the JSON document.
space() {
  jq -r --arg name "$1" ".locks[] | select(.name == \$name) | .space.$2" <<< "$output"
}

@test "list computes the rows of the paper's Space table" {
  run -0 "$HEMLOCK" list --json
  for row in "mcs 2 false 1 1 0 false" "clh 2 true 0 1 0 true" "ticket 2 false 0 0 0 false" "hemlock-ctr 1 false 0 0 1 false"; do
    read -r name lock owns held waiting thread init <<< "$row"
    [ "$(space "$name" lock_words)" = "$lock" ]
    [ "$(space "$name" lock_owns_element)" = "$owns" ]
    [ "$(space "$name" held_elements)" = "$held" ]
    [ "$(space "$name" waiting_elements)" = "$waiting" ]
    [ "$(space "$name" thread_words)" = "$thread" ]
    [ "$(space "$name" init)" = "$init" ]
  done
}
