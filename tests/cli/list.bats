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
