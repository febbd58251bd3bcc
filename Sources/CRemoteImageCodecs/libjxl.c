// Looks up the functions of libjxl by name.

#include "libjxl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

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
    const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"JxlDecoderVersion", &libjxl.version},
        {"JxlDecoderCreate", &libjxl.create},
        {"JxlDecoderDestroy", &libjxl.destroy},
        {"JxlDecoderRewind", &libjxl.rewind},
        {"JxlDecoderSubscribeEvents", &libjxl.subscribe},
        {"JxlDecoderSetCoalescing", &libjxl.set_coalescing},
        {"JxlDecoderSetUnpremultiplyAlpha", &libjxl.set_unpremultiply},
        {"JxlDecoderSetDesiredIntensityTarget", &libjxl.set_intensity_target},
        {"JxlDecoderSetPreferredColorProfile", &libjxl.set_preferred_profile},
        {"JxlDecoderSetProgressiveDetail", &libjxl.set_progressive_detail},
        {"JxlDecoderSetInput", &libjxl.set_input},
        {"JxlDecoderReleaseInput", &libjxl.release_input},
        {"JxlDecoderSkipFrames", &libjxl.skip_frames},
        {"JxlDecoderProcessInput", &libjxl.process},
        {"JxlDecoderGetBasicInfo", &libjxl.read_info},
        {"JxlDecoderGetExtraChannelInfo", &libjxl.read_extra_channel},
        {"JxlDecoderGetFrameHeader", &libjxl.read_frame},
        {"JxlDecoderImageOutBufferSize", &libjxl.buffer_size},
        {"JxlDecoderSetImageOutBuffer", &libjxl.set_buffer},
        {"JxlDecoderFlushImage", &libjxl.flush},
        {"JxlDecoderGetICCProfileSize", &libjxl.profile_size},
        {"JxlDecoderGetColorAsICCProfile", &libjxl.profile},
    };
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        void *found = dlsym(library, functions[index].name);
        if (!found) return;
        memcpy(functions[index].function, &found, sizeof found);
    }
    is_installed = true;
}

bool codec_jxl_is_installed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_installed;
}
