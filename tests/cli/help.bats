#!/usr/bin/env bats
# Manual pages and completion say what --help says.

load helper

root=$BATS_TEST_DIRNAME/../..

subcommands() { "$HEMLOCK" "$@" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'; }
options() { "$HEMLOCK" "$@" --help | grep -oE '^  (-[A-Za-z],)?--[a-z][a-z-]*(,--[a-z-]+)*' | grep -oE -- '--[a-z-]+'; }

@test "every option of --help is in the manual page, and no other" {
  for page in "$root"/man/hemlock-*.1.scd; do
    name=$(basename "$page" .1.scd)
    name=${name#hemlock-}
    known=$(options "$name"; for inner in $(subcommands "$name"); do options "$name" "$inner"; done)
    known=$(sort -u <<< "$known")
    told=$(sed -n '/^# OPTIONS/,/^# [^O]/p' "$page" | grep -E '^\*' | grep -oE -- '\*--[a-z-]+\*' | tr -d '*' | sort -u)
    echo "$name"
    diff <(echo "$known") <(echo "$told")
  done
}

@test "every manual page is made by scdoc without complaint" {
  for page in "$root"/man/*.scd; do
    scdoc < "$page" > page 2> complaint
    [ -s page ]
    [ ! -s complaint ]
  done
}

@test "every page that a manual page refers to exists" {
  for name in $(grep -ohE 'hemlock-[a-z]+\*\(1\)' "$root"/man/*.scd | grep -oE 'hemlock-[a-z]+' | sort -u); do
    [ -e "$root/man/$name.1.scd" ]
  done
}

# bash_offers WORDS...: what bash offers for the last of these words.
bash_offers() {
  bash -c 'source "$0"
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hemlock; printf "%s\n" "${COMPREPLY[@]}"' \
    "$root/completions/hemlock.bash" "$HEMLOCK" "$@"
}

@test "bash completes subcommands, options and locks" {
  diff <(bash_offers '' | sort) <(subcommands | sort)
  for name in $(subcommands); do
    diff <(bash_offers "$name" -- | grep -v '^$' | sort) <(options "$name" | sort)
  done
  [ "$(bash_offers run --lock hemlock-c)" = "$("$HEMLOCK" list | grep -oE '^hemlock-c[a-z]*' | awk '!seen[$0]++')" ]
  [ "$(bash_offers compare --locks native,hemlock-ct)" = native,hemlock-ctr ]
  [ "$(bash_offers run --wait p)" = park ]
}

@test "fish completes subcommands, options and locks" {
  command -v fish > /dev/null || skip "fish is not here"
  mkdir -p bin
  ln -s "$HEMLOCK" bin/hemlock
  offers() { HOME=$scratch PATH=$scratch/bin:$PATH fish --no-config -c "source '$root/completions/hemlock.fish'; complete -C '$1'" | cut -f1; }
  diff <(offers 'hemlock ' | sort -u) <(subcommands | sort)
  diff <(offers 'hemlock run --' | sort -u) <(options run | sort)
  offers 'hemlock run --lock hemlock-ct' | grep -qx hemlock-ctr
}

@test "zsh completes subcommands, options and locks" {
  command -v zsh > /dev/null || skip "zsh is not here"
  # compadd only works inside the line editor; in its place, something that prints what it is given.
  offers() {
    zsh -f -c 'compadd() { if [[ $1 == -a ]]; then print -l -- ${(P)2}; else print -l -- "$@"; fi }
      compset() { : }; _files() { : }
      words=("${@:2}"); CURRENT=${#words}; source "$1"' zsh "$root/completions/_hemlock" "$HEMLOCK" "$@"
  }
  diff <(offers '' | sort) <(subcommands | sort)
  diff <(offers run -- | sort) <(options run | sort)
  offers run --lock '' | grep -qx hemlock-ctr
}

@test "every subcommand has a manual page, and hemlock(1) names it" {
  [ "$(subcommands | wc -w)" -ge 11 ]
  for name in $(subcommands); do
    echo "$name"
    [ -e "$root/man/hemlock-$name.1.scd" ]
    grep -q "\*hemlock-$name\*(1)" "$root/man/hemlock.1.scd"
  done
}
