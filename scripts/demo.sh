#!/usr/bin/env bash
# demo.sh [REPORT.html]: compares every lock on this machine in about a minute, and says where the report is.
set -euo pipefail
cd "$(dirname "$0")/.."

tool=build/hemlock
report=${1:-build/demo.html}
samples=${report%.html}.json

# 22 locks at 1 thread, the CPUs and four times the CPUs; 5 runs of 150 ms, and a tenth of that to warm up.
"$tool" bench mutexbench --locks all --threads 1,1c,4c --cs 5 --ncs uniform:400 --runs 5 --duration 150ms \
  --html "$report" --json "$samples"

echo
echo "Open $report in a browser; all samples are in $samples."
echo "Next: $tool bench --help, or $tool compare -- your-program"
