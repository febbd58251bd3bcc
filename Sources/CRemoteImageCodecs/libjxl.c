// Looks up the functions of libjxl by name.

#include "libjxl.h"

#include <pthread.h>

#include "jxl.h"

LibJXL libjxl;

static bool is_installed;

static void load(void) {
    static const char *const names[] = {"libjxl.so.0.11", "libjxl.so.0.10", "libjxl.so.0.9", "libjxl.so.0.8", "libjxl.so.0.7"};
    // Never closed: the functions are used until the process ends.
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) return;
    bool is_complete = true;
#define LOOK_UP(result, field, name, parameters) \
    is_complete = find_function(library, name, &libjxl.field) && is_complete;
    LIBJXL_FUNCTIONS(LOOK_UP)
    is_installed = is_complete;
}

bool codec_jxl_is_installed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_installed;
}
