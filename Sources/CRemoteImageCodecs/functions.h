// Tables of the functions of a library that are looked up by name:
// X(result, field, name, parameters).
#pragma once
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

// The field of a function.
#define DECLARE(result, field, name, parameters) result(*field) parameters;

// Sets `*function`. Returns false if the library does not have the function.
static inline bool find_function(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}
