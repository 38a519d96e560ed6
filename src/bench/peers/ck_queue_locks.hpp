// ConcurrencyKit's queue locks, readable by C++: they are C headers that assign a void* to a typed pointer.
// The cast is put around that one function while they are read, so that their code is still inlined.
#pragma once

#include <ck_pr.h>

#define ck_pr_fas_ptr(target, value) static_cast<decltype(value)>((ck_pr_fas_ptr)(target, value))
#include <spinlock/clh.h>
#include <spinlock/mcs.h>
#undef ck_pr_fas_ptr
