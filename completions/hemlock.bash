# bash completion for hemlock. Asks the tool itself, so that it cannot fall behind.

_hemlock_words() { # of the help text: subcommands, or long options
  "$1" "${@:3}" --help 2>/dev/null | case $2 in
    subcommands) sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' ;;
    options) grep -oE '^  (-[A-Za-z],)?--[a-z][a-z-]*(,--[a-z-]+)*' | grep -oE -- '--[a-z-]+' ;;
  esac
}

_hemlock() {
  local tool=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} i
  local -a path=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then # from here on it is another program's command line
      _hemlock_program $((i + 1))
      return
    fi
    # bench has subcommands of its own; no option of ours stands between them
    [[ ${COMP_WORDS[i]} == [a-z]* && ${#path[@]} -eq $((i - 1)) ]] && path+=("${COMP_WORDS[i]}")
  done
  case $previous in
    --lock | --locks | -l)
      local given=
      [[ $current == *,* ]] && given=${current%,*},
      COMPREPLY=($(compgen -P "$given" -W "native $("$tool" list 2>/dev/null | sed -n '1d;/^$/q;s/^\([a-z][a-z-]*\) .*/\1/p')" -- "${current##*,}"))
      return ;;
    --wait | -w) COMPREPLY=($(compgen -W 'spin yield park auto' -- "$current")); return ;;
    --metric | -m) COMPREPLY=($(compgen -W 'time cpu max-rss regex:' -- "$current")); return ;;
    --better) COMPREPLY=($(compgen -W 'higher lower' -- "$current")); return ;;
    --pin) COMPREPLY=($(compgen -W 'none compact scatter' -- "$current")); return ;;
    --json | --csv | --html) COMPREPLY=($(compgen -f -- "$current")); return ;;
    --svg) COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$(_hemlock_words "$tool" options "${path[@]}")" -- "$current"))
  elif [[ ${path[0]-} == report || ${path[0]-} == diff ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$(_hemlock_words "$tool" subcommands "${path[@]}")" -- "$current"))
  fi
}

_hemlock_program() {
  if declare -F _command_offset > /dev/null; then
    _command_offset "$1"
  else
    COMPREPLY=($(compgen -c -f -- "${COMP_WORDS[COMP_CWORD]}"))
  fi
}

complete -F _hemlock hemlock
