#!/usr/bin/env bash
# format.sh fix|check: our C and C++ sources, by .clang-format.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.hpp' '*.cpp' '*.h' '*.c')
[ ${#files[@]} -gt 0 ] || exit 0
case "${1:-}" in
  fix) clang-format -i "${files[@]}" ;;
  check) clang-format --dry-run -Werror "${files[@]}" ;;
  *) echo "usage: format.sh fix|check" >&2; exit 2 ;;
esac
