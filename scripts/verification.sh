#!/usr/bin/env bash
# verification.sh: writes the generated tables of docs/verification.md anew, from the tool in build/ (or $HEMLOCK).
set -euo pipefail
cd "$(dirname "$0")/.."
tool=${HEMLOCK:-build/hemlock}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# An unexpected verdict ends us here, and leaves the document as it was.
"$tool" check --markdown > "$made/cases"
"$tool" check --orders --markdown > "$made/orders"

for table in cases orders; do
  sed -i -e "/<!-- $table: begin/,/<!-- $table: end/{//!d}" -e "/<!-- $table: begin/r $made/$table" docs/verification.md
done
