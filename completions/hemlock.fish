# fish completion for hemlock. Asks the tool itself, so that it cannot fall behind.

function __hemlock_way # the tool, then the subcommands typed so far
    set -l typed (commandline -opc)
    echo $typed[1]
    for word in $typed[2..-1]
        string match -qr '^[a-z]' -- $word; or break
        echo $word
    end
end

function __hemlock_has_program
    contains -- -- (commandline -opc)
end

function __hemlock_subcommands
    set -l way (__hemlock_way)
    contains -- "$way[2]" report diff; and return
    $way --help 2>/dev/null | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end

function __hemlock_options
    set -l way (__hemlock_way)
    $way --help 2>/dev/null | grep -oE '^  (-[A-Za-z],)?--[a-z][a-z-]*(,--[a-z-]+)*' | grep -oE -- '--[a-z-]+'
end

function __hemlock_locks
    set -l way (__hemlock_way)
    echo native
    $way[1] list 2>/dev/null | sed -n '1d;/^$/q;s/^\([a-z][a-z-]*\) .*/\1/p'
end

complete -c hemlock -n 'not __hemlock_has_program' -f -a '(__hemlock_subcommands)'
complete -c hemlock -n 'not __hemlock_has_program; and string match -q -- "-*" (commandline -ct)' -f -a '(__hemlock_options)'
complete -c hemlock -n 'contains -- (commandline -opc)[-1] --lock --locks -l' -f -a '(__hemlock_locks)'
complete -c hemlock -n 'contains -- (commandline -opc)[-1] --wait -w' -f -a 'spin yield park auto'
complete -c hemlock -n 'contains -- (commandline -opc)[-1] --metric -m' -f -a 'time cpu max-rss regex:'
complete -c hemlock -n 'contains -- (commandline -opc)[-1] --json --csv --html; or contains -- (__hemlock_way)[2] report diff' -F
complete -c hemlock -n '__hemlock_has_program' -F -a '(__fish_complete_subcommand)'
