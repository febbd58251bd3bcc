#include "webp.h"
#include "encode.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The types of libwebp's decoder (webp/decode.h, interface version 2.9). The library checks the
// version and rejects another major one.
enum { INTERFACE_VERSION = 0x0209, STATUS_OK = 0, STATUS_UNSUPPORTED = 4, MODE_RGB = 0, MODE_RGBA = 1 };

typedef struct {
    int width, height;
    int has_alpha, has_animation;
    int format;
    uint32_t reserved[5];
} Features;

typedef struct {
    uint8_t *pixels;
    int stride;
    size_t size;
} PackedPixels;

// Not used here; it gives the union its size.
typedef struct {
    uint8_t *planes[4];
    int strides[4];
    size_t sizes[4];
} Planes;

typedef struct {
    int mode;
    int width, height;
    int is_external_memory;
    union {
        PackedPixels packed;
        Planes planes;
    } pixels;
    uint32_t reserved[4];
    uint8_t *private_memory;
} Output;

typedef struct {
    int bypass_filtering, no_fancy_upsampling;
    int use_cropping, crop_left, crop_top, crop_width, crop_height;
    int use_scaling, scaled_width, scaled_height;
    int use_threads, dithering_strength, flip, alpha_dithering_strength;
    uint32_t reserved[5];
} Options;

typedef struct {
    Features input;
    Output output;
    Options options;
} Configuration;

// Set once by `load`, or all null.
static int (*configure)(Configuration *configuration, int version);
static int (*read_features)(const uint8_t *bytes, size_t count, Features *features, int version);
static int (*decode)(const uint8_t *bytes, size_t count, Configuration *configuration);

// Each is null if the library lacks it.
typedef size_t Encode(const uint8_t *pixels, int width, int height, int stride, float quality, uint8_t **file);
static Encode *encode_rgb, *encode_rgba;
static void (*release)(void *file);

static void load(void) {
    // Never closed: the functions are used until the process ends.
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    *(void **)&configure = dlsym(library, "WebPInitDecoderConfigInternal");
    *(void **)&read_features = dlsym(library, "WebPGetFeaturesInternal");
    *(void **)&decode = dlsym(library, "WebPDecode");
    *(void **)&encode_rgb = dlsym(library, "WebPEncodeRGB");
    *(void **)&encode_rgba = dlsym(library, "WebPEncodeRGBA");
    *(void **)&release = dlsym(library, "WebPFree");
    Configuration configuration;
    if (configure && read_features && decode && configure(&configuration, INTERFACE_VERSION)) return;
    configure = NULL;
    read_features = NULL;
    decode = NULL;
}

bool webp_is_installed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return decode != NULL;
}

bool webp_read(const uint8_t *bytes, size_t count, WebPStill *still) {
    Features features;
    if (!webp_is_installed() || read_features(bytes, count, &features, INTERFACE_VERSION) != STATUS_OK) return false;
    if (features.has_animation || features.width <= 0 || features.height <= 0) return false;
    *still = (WebPStill){features.width, features.height, features.has_alpha != 0};
    return true;
}

int webp_decode(
    const uint8_t *bytes, size_t count, bool is_rgba, int scaled_width, int scaled_height, uint8_t *pixels, size_t capacity,
    int stride) {
    // Pixels that libwebp does not write must not show earlier contents of the memory.
    memset(pixels, 0, capacity);
    WebPStill still;
    Configuration configuration;
    if (!webp_read(bytes, count, &still) || !configure(&configuration, INTERFACE_VERSION)) return STATUS_UNSUPPORTED;
    configuration.output.mode = is_rgba ? MODE_RGBA : MODE_RGB;
    configuration.output.is_external_memory = 1;
    configuration.output.pixels.packed = (PackedPixels){pixels, stride, capacity};
    configuration.options.use_scaling = scaled_width > 0 && scaled_height > 0;
    configuration.options.scaled_width = scaled_width;
    configuration.options.scaled_height = scaled_height;
    return decode(bytes, count, &configuration);
}

uint8_t *codec_webp_encode(
    const codec_encode_source *source, int quality, size_t *count, char message[CODEC_ENCODE_MESSAGE_SIZE]) {
    webp_is_installed();
    Encode *encode = source->has_alpha ? encode_rgba : encode_rgb;
    if (!encode || !release) {
        snprintf(message, CODEC_ENCODE_MESSAGE_SIZE, "libwebp is not installed");
        return NULL;
    }
    uint8_t *file = NULL, *copy = NULL;
    *count = encode(
        source->pixels, (int)source->width, (int)source->height, (int)source->stride, (float)quality, &file);
    if (*count > 0) copy = malloc(*count);
    if (copy) memcpy(copy, file, *count);
    // libwebp gives no reason. A side above the limit of the format is the usual one.
    else snprintf(message, CODEC_ENCODE_MESSAGE_SIZE, "libwebp failed; a side has at most 16383 pixels");
    release(file);
    return copy;
}
