#!/usr/bin/env bash
# adding_a_lock.sh COMPILER: does what docs/adding-a-lock.md says, in a copy of the library, and uses the result.
set -euo pipefail
compiler=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source/include" "$work/include"

# Step 1: the header is the page's own code block.
awk '/^```cpp$/{inside=1; next} /^```$/{inside=0} inside' "$source/docs/adding-a-lock.md" \
  > "$work/include/hemlock/locks/turnstile.hpp"
# Step 2: the include and the one line.
sed -i -e 's|#include "locks/ttas.hpp"|&\n#include "locks/turnstile.hpp"|' \
  -e 's|    registered<ttas>,|&\n    registered<turnstile>,|' "$work/include/hemlock/registry.hpp"

cat > "$work/use.cpp" <<'CPP'
#include <cstdio>
#include <mutex>
#include <thread>

#include "hemlock/locks/lock_handle.hpp"
#include "hemlock/registry.hpp"
#include "hemlock/world/native.hpp"

int main() {
  long count = 0;
  const bool found = hemlock::with_lock<hemlock::native<hemlock::waiting::automatic>>("turnstile", [&]<class Lock>() {
    using handle = hemlock::lock_handle<Lock>;
    Lock lock;
    std::thread threads[3];
    for (auto& thread : threads)
      thread = std::thread([&] {
        handle mine(lock);
        for (int round = 0; round < 1000; ++round) {
          const std::lock_guard guard(mine);
          ++count;
        }
      });
    for (auto& thread : threads) thread.join();
    std::printf("%zu bytes, fifo %d, try_lock %d\n", sizeof lock, Lock::traits.fifo, hemlock::has_try_lock<Lock>);
  });
  return found && count == 3000 ? 0 : 1;
}
CPP
"$compiler" -std=c++20 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I "$work/include" \
  "$work/use.cpp" -o "$work/use" -pthread
[ "$(timeout 60 "$work/use")" = "8 bytes, fifo 1, try_lock 0" ]
echo "the page's lock works, by one header and one line"
