// Counts the allocations of a program: replaces malloc and its relatives with counting wrappers.
#pragma once
#include <stdint.h>

// The number of allocations of this thread since it started. Frees are not counted.
uint64_t allocation_count(void);
