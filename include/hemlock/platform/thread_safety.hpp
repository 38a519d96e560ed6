// clang's thread-safety analysis; nothing elsewhere.
#pragma once

#if defined(__clang__)
#define HEMLOCK_ATTRIBUTE(x) __attribute__((x))
#else
#define HEMLOCK_ATTRIBUTE(x)
#endif

#define HEMLOCK_CAPABILITY(name) HEMLOCK_ATTRIBUTE(capability(name))
#define HEMLOCK_SCOPED_CAPABILITY HEMLOCK_ATTRIBUTE(scoped_lockable)
#define HEMLOCK_GUARDED_BY(x) HEMLOCK_ATTRIBUTE(guarded_by(x))
#define HEMLOCK_ACQUIRE(...) HEMLOCK_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define HEMLOCK_RELEASE(...) HEMLOCK_ATTRIBUTE(release_capability(__VA_ARGS__))
#define HEMLOCK_TRY_ACQUIRE(...) HEMLOCK_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define HEMLOCK_REQUIRES(...) HEMLOCK_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define HEMLOCK_NO_THREAD_SAFETY_ANALYSIS HEMLOCK_ATTRIBUTE(no_thread_safety_analysis)
