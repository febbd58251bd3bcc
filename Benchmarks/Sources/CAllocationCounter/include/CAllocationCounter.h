// Counts what a program allocates, by standing between it and the C library.
#pragma once
#include <stdint.h>

// Allocations of this thread since it began; frees do not count.
uint64_t allocation_count(void);
