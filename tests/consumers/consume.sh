#!/usr/bin/env bash
# consume.sh WAY SOURCE BUILD: builds and runs a stranger's program that has Hemlock by one of the ways we offer.
set -euo pipefail
way=$1 source=$2 build=$3
here=$source/tests/consumers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cxx=${CXX:-c++} cc=${CC:-cc}

install_into() {
  for part in library headers; do cmake --install "$build" --prefix "$1" --component $part >/dev/null; done
}
build_and_run() { # a CMake project, its programs and the options to configure it with
  local project=$1 programs=$2
  shift 2
  cmake -G Ninja -S "$project" -B "$work/build" "$@" >"$work/log" 2>&1 && cmake --build "$work/build" >>"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
  for program in $programs; do timeout 20 "$work/build/$program"; done
}

case $way in
  find_package)
    install_into "$work/prefix"
    build_and_run "$here/find_package" "with_headers with_library in_c" -DCMAKE_PREFIX_PATH="$work/prefix"
    ;;
  add_subdirectory)
    build_and_run "$here/add_subdirectory" with_headers -DHEMLOCK_SOURCE="$source"
    ;;
  pkg_config)
    install_into "$work/before"
    mv "$work/before" "$work/prefix" # an installed tree may be moved
    export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
    # shellcheck disable=SC2046
    $cxx -std=c++20 "$here/source/consumer.cpp" $(pkg-config --cflags --libs hemlock-headers) -o "$work/headers"
    # shellcheck disable=SC2046
    $cc -std=c99 "$here/source/consumer.c" $(pkg-config --cflags --libs hemlock) -o "$work/in_c"
    timeout 20 "$work/headers"
    LD_LIBRARY_PATH=$work/prefix/lib timeout 20 "$work/in_c"
    ;;
  header_copy)
    mkdir "$work/vendored"
    cp -r "$source/include/hemlock" "$work/vendored/"
    $cxx -std=c++20 -pthread -I"$work/vendored" "$here/source/consumer.cpp" -o "$work/program"
    timeout 20 "$work/program"
    ;;
  umbrella_header)
    printf '#include <hemlock/hemlock.hpp>\nint main() { hemlock::hemlock_ctr<hemlock::native<hemlock::waiting::yield>> l; l.lock(); l.unlock(); }\n' \
      >"$work/program.cpp"
    $cxx -std=c++20 -pthread -Wall -Wextra -Werror -I"$source/include" "$work/program.cpp" -o "$work/program"
    timeout 20 "$work/program"
    ;;
  deb)
    "$here/deb.sh" "$source" "$build" "$work"
    ;;
  *)
    echo "consume.sh: unknown way '$way'; known: find_package add_subdirectory pkg_config header_copy umbrella_header deb" >&2
    exit 2
    ;;
esac
