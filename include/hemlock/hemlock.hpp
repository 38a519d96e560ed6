// All of Hemlock's library in one include: the mutexes, the condition variables, the guards, and the lock family.
#pragma once

#include "condition_variable.hpp"
#include "fifo_mutex.hpp"
#include "guards.hpp"
#include "mutex.hpp"
#include "recursive_mutex.hpp"
#include "registry.hpp"
#include "timed_mutex.hpp"
