#!/usr/bin/env bash
# deb.sh SOURCE BUILD WORK: makes the .deb packages, unpacks them into an empty root that has nothing but the
# packages they depend on, and uses them there: the tool, the preload library, the shared library.
set -euo pipefail
source=$1 build=$2 work=$3
root=$work/root

(cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/log" 2>&1) ||
  { cat "$work/log" >&2; exit 1; }
for package in libhemlock0 libhemlock-dev hemlock-tools; do
  file=$(ls "$work/packages/${package}"_*.deb)
  [ -n "$(dpkg-deb -f "$file" Depends)" ] || { echo "$package depends on nothing, not even libc" >&2; exit 1; }
  dpkg-deb -x "$file" "$root"
done

# A consumer, built with what the packages brought.
${CC:-cc} -std=c99 -I"$root/usr/include" "$source/tests/consumers/source/consumer.c" -L"$root/usr/lib" -lhemlock \
  -o "$root/usr/bin/consumer"

# The libraries that the dependencies stand for; ours must come from the packages.
for program in "$root/usr/bin/hemlock" "$root/usr/bin/consumer" "$root/usr/lib/libhemlock-preload.so"; do
  LD_LIBRARY_PATH=$root/usr/lib ldd "$program" | grep -oE '/[^ ]+' | grep -v "^$root" | sort -u |
    while read -r library; do
      mkdir -p "$root$(dirname "$library")"
      cp -nL "$library" "$root$library"
    done
done
# LD_PRELOAD for the one program alone: chroot(1) itself has no such library.
cat >"$work/preloaded.c" <<'END'
#include <unistd.h>
int main(void) {
  char* arguments[] = {"/usr/bin/consumer", 0};
  char* environment[] = {"LD_PRELOAD=/usr/lib/libhemlock-preload.so", "HEMLOCK_LOCK=mutex", 0};
  return execve(arguments[0], arguments, environment);
}
END
${CC:-cc} "$work/preloaded.c" -o "$root/usr/bin/preloaded"

in_root() {
  if [ "$(id -u)" = 0 ]; then chroot "$root" "$@"; else unshare -r chroot "$root" "$@"; fi
}
in_root /usr/bin/consumer
listed=$(in_root /usr/bin/hemlock list)
grep -q '^mutex ' <<<"$listed" || { printf 'hemlock list said:\n%s\n' "$listed" >&2; exit 1; }
said=$(in_root /usr/bin/preloaded 2>&1)  # the loader only complains about a library that it cannot preload
[ -z "$said" ] || { printf 'with the preload library, the program said:\n%s\n' "$said" >&2; exit 1; }
