// The processor's hint that this is a wait loop.
#pragma once

namespace hemlock {

inline void cpu_relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // YIELD is a no-op on cores without SMT; ISB waits for the pipeline to drain, a few tens of cycles,
  // which is what PAUSE does on x86.
  asm volatile("isb" ::: "memory");
#elif defined(__powerpc64__)
  asm volatile("or 27,27,27" ::: "memory");
#elif defined(__riscv)
  asm volatile(".insn i 0x0F, 0, x0, x0, 0x010" ::: "memory");  // PAUSE of Zihintpause
#else
  asm volatile("" ::: "memory");
#endif
}

}  // namespace hemlock
