#!/usr/bin/env bats
# hemlock doctor

load helper

@test "doctor examines the machine" {
  run -0 "$HEMLOCK" doctor
  [[ $output == *counters* ]]
}

@test "doctor finds that a dynamic program can be served" {
  stand_in_tool
  echo 'int main(void) { return 0; }' | cc -x c -o program -
  run -0 "$TOOL" doctor -- ./program
  [[ $output == *"./program can be served"* ]]
}

@test "doctor finds a static program and says what to do" {
  stand_in_tool
  echo 'int main(void) { return 0; }' | cc -static -x c -o program -
  run -1 "$TOOL" doctor -- ./program
  [[ $output == *statically* && $output == *dynamically* ]]
}

@test "doctor finds a setuid program" {
  stand_in_tool
  echo 'int main(void) { return 0; }' | cc -x c -o program -
  chmod u+s program
  run -1 "$TOOL" doctor -- ./program
  [[ $output == *setuid* ]]
}

@test "doctor follows a script to its interpreter" {
  stand_in_tool
  printf '#!/bin/sh\n' > script
  chmod +x script
  run -0 "$TOOL" doctor -- ./script
  [[ $output == *"script of /bin/sh"* ]]
}

@test "doctor finds another loader than glibc's" {
  stand_in_tool
  echo 'int main(void) { return 0; }' | cc -x c -o program - -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1
  run -1 "$TOOL" doctor -- ./program
  [[ $output == *musl* ]]
}

@test "doctor knows the sanitizers that have a say in locks or in what is loaded first" {
  stand_in_tool
  for sanitizer in thread address; do
    echo 'int main(void) { return 0; }' | cc -fsanitize=$sanitizer -x c -o $sanitizer - || skip "no sanitizer"
  done
  run -0 "$TOOL" doctor -- ./thread
  [[ $output == *ThreadSanitizer* ]]
  run -0 "$TOOL" doctor -- ./address
  [[ $output == *AddressSanitizer*verify_asan_link_order=0* ]]
}

@test "doctor tells of other preloads" {
  stand_in_tool
  echo 'int other;' | cc -shared -fPIC -x c -o other.so -
  LD_PRELOAD=$scratch/other.so run -0 "$TOOL" doctor -- sh
  [[ $output == *other.so* ]]
}

@test "doctor says when the preload library is missing" {
  cp "$HEMLOCK" hemlock
  run -1 ./hemlock doctor -- sh
  [[ $output == *libhemlock-preload.so* ]]
}

@test "doctor reports a missing program as 127" {
  run -127 "$HEMLOCK" doctor -- ./no-such-program
}

@test "doctor writes its findings as json" {
  run -0 --separate-stderr "$HEMLOCK" doctor --json
  python3 -c 'import json, sys
assert json.loads(sys.argv[1])["machine_findings"]' "$output"
}
