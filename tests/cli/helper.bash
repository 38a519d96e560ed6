# Shared by the bats files. A scratch folder per test; and a tool with a stand-in for the preload library beside it,
# so that what `run` and `compare` set up can be looked at whatever the real library does.

bats_require_minimum_version 1.5.0

setup() {
  scratch=$BATS_TEST_TMPDIR
  cd "$scratch" || exit 1
}

# Makes $scratch/bin/hemlock with an empty shared object as its preload library, and sets TOOL.
stand_in_tool() {
  mkdir -p "$scratch/bin"
  cp "$HEMLOCK" "$scratch/bin/hemlock"
  echo 'int hemlock_stand_in;' | cc -shared -fPIC -x c -o "$scratch/${1:-bin}/libhemlock-preload.so" -
  TOOL=$scratch/bin/hemlock
}

# A results file: result_file NAME SAMPLES...; one experiment, one lock, times in seconds.
result_file() {
  local name=$1
  shift
  local samples
  samples=$(IFS=,; echo "$*")
  cat > "$name" <<JSON
{"schema": 1, "version": "0.0.0", "command": "hemlock made-up", "machine": {"cpu": "a CPU"},
 "experiments": [{"name": "made-up", "title": "Made up", "shows": "Nothing.", "better": "lower", "baseline": "native",
   "x": {"name": "threads"}, "y": {"name": "time", "unit": "s"},
   "series": [{"name": "native", "points": [{"x": 1, "samples": [$samples]}, {"x": 2, "samples": [$samples]}]}]}]}
JSON
}
