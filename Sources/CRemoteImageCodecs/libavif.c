// Looks up the functions of libavif by name.

#include "libavif.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

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
    const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"avifCodecName", &libavif.codec_name},
        {"avifDecoderCreate", &libavif.create},
        {"avifDecoderDestroy", &libavif.destroy},
        {"avifDecoderSetSource", &libavif.set_source},
        {"avifDecoderSetIO", &libavif.set_input},
        {"avifDecoderParse", &libavif.parse},
        {"avifDecoderNthImage", &libavif.decode},
        {"avifDecoderNthImageTiming", &libavif.read_timing},
        {"avifRGBImageSetDefaults", &libavif.set_defaults},
        {"avifImageYUVToRGB", &libavif.convert},
        {"avifResultToString", &libavif.describe},
    };
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        void *found = dlsym(library, functions[index].name);
        if (!found) return;
        memcpy(functions[index].function, &found, sizeof found);
    }
    is_installed = libavif.codec_name(CODEC_AUTO, CODEC_CAN_DECODE) != NULL;
}

bool codec_avif_is_installed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_installed;
}
