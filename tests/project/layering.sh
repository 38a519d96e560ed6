#!/usr/bin/env bash
# layering.sh: fails on an #include that points up, or on a system header that a layer must not need.
set -euo pipefail
cd "$(dirname "$0")/../.."

failures=0
complain() { echo "$1" >&2; failures=$((failures + 1)); }

# check FOLDER FORBIDDEN-REGEX WHY: no quoted include in the folder's files matches.
check() {
  [ -d "$1" ] || return 0
  local line
  while IFS= read -r line; do complain "$line: $3"; done < <(
    grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]+[\"<]($2)" "$1" --include='*.hpp' --include='*.cpp' --include='*.h' --include='*.c' || true)
}

tools='(check|sim|bench|preload|profile|capi|cli|report)/'
third_party='(CLI|fmt|nlohmann|boost|gtest|benchmark|absl|tbb|nsync|ck_|leveldb|libunwind|elfutils)'
check include/hemlock/platform '\.\./|hemlock/|'"$tools" 'platform knows nothing of ours'
check include/hemlock/world '\.\./locks|hemlock/|\.\./[a-z_]+\.hpp|'"$tools" 'a World knows no lock'
check include/hemlock/locks 'hemlock/|\.\./[a-z_]+\.hpp|'"$tools" 'a lock knows Worlds and platform only'
check include/hemlock "$tools|$third_party" 'the library depends on libc and the standard library alone'
check src/capi "(check|sim|bench|preload|profile|cli|report)/|$third_party" 'capi stands on the library alone'
check src/preload "(check|sim|bench|cli|report|capi)/|$third_party" 'preload stands on the library alone'
check src/report '(check|sim|bench|preload|profile|capi|cli)/' 'report is pure functions of data'
check src/check '(sim|bench|preload|profile|capi|cli)/' 'check stands on the library and report'
check src/sim '(check|bench|preload|profile|capi|cli)/' 'sim stands on the library and report'
check src/bench '(check|sim|preload|profile|capi|cli)/' 'bench stands on the library and report'
check src 'tests/|support/' 'the product does not need its tests'

# The one library header that needs a library says so in its name, and nobody but its users includes it.
while IFS= read -r line; do complain "$line: only world/native_rcu.hpp may need liburcu"; done < <(
  grep -rln 'include <urcu' include | grep -v 'world/native_rcu.hpp' || true)
while IFS= read -r line; do complain "$line: architecture #if outside platform/"; done < <(
  grep -rnE '^\s*#\s*if(def)?\b.*(__x86_64__|__aarch64__|__i386__)' include src | grep -v '/platform/' || true)

[ "$failures" = 0 ] && echo "every include points down"
exit $((failures > 0))
