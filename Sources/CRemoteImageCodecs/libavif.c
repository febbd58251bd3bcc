// Looks up the functions of libavif by name.

#include "libavif.h"

#include <pthread.h>

#include "avif.h"

LibAVIF libavif;

static bool is_installed;

// The number in the name of the library changes with every incompatible change of a structure.
static const struct {
    const char *name;
    size_t pixels_offset;
} versions[] = {{"libavif.so.16", PIXELS_OFFSET_16}, {"libavif.so.15", PIXELS_OFFSET_15}};

static void load(void) {
    // The offsets are those of 64-bit systems.
    if (sizeof(void *) != 8) return;
    // Never closed: the functions are used until the process ends.
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof versions / sizeof *versions; index++) {
        library = dlopen(versions[index].name, RTLD_NOW | RTLD_LOCAL);
        libavif.pixels_offset = versions[index].pixels_offset;
    }
    if (!library) return;
    bool is_complete = true;
#define LOOK_UP(result, field, name, parameters) \
    is_complete = find_function(library, name, &libavif.field) && is_complete;
    LIBAVIF_FUNCTIONS(LOOK_UP)
    is_installed = is_complete && libavif.codec_name(CODEC_AUTO, CODEC_CAN_DECODE) != NULL;
}

bool codec_avif_is_installed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_installed;
}
