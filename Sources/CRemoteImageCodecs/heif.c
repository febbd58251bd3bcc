#include "heif.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

// The types of libheif's functions (libheif/heif.h, 1.15 and later). Contexts, handles and images
// are opaque.
typedef void Context;
typedef void Handle;
typedef void Image;

typedef struct {
    int code, detail;
    const char *message;
} Error;

enum {
    ERROR_UNSUPPORTED_TYPE = 3,
    ERROR_UNSUPPORTED_FEATURE = 4,
    ERROR_MEMORY = 6,
    DETAIL_LIMIT = 1000,
    DETAIL_NO_DECODER = 6003,
    COLORS_RGB = 1,
    LAYOUT_RGB = 10,
    LAYOUT_RGBA = 11,
    CHANNEL_INTERLEAVED = 10,
};

// The first fields of a structure that libheif allocates and that grows with its versions.
typedef struct {
    uint8_t version;
    uint8_t ignores_transformations;
    void *progress[4];
    // Version 2.
    uint8_t converts_to_8_bits;
    // Version 3.
    uint8_t is_strict;
    const char *decoder;
    struct {
        uint8_t version;
        int downsampling, upsampling;
        uint8_t is_required;
    } chroma;
    void *cancel;
    void *composition;
    // Version 8.
    int ignores_edit_list;
    void *output_colors;
    int library_thread_count, codec_thread_count;
} Options;

// Likewise.
typedef struct {
    uint8_t version;
    uint64_t pixel_count;
    uint64_t tile_count;
    uint32_t bayer_pixel_count, item_count;
    uint32_t profile_byte_count;
    uint64_t block_byte_count;
    uint32_t component_count, extent_count, group_size, child_count;
    // Version 2.
    uint64_t byte_count;
} Limits;

// Likewise.
typedef struct {
    uint8_t version;
    int primaries, transfer, matrix;
    uint8_t has_full_range;
} CodePoints;

#define FUNCTIONS(X)                                                                                           \
    X(Error, start, "heif_init", (void *parameters))                                                           \
    X(int, has_decoder, "heif_have_decoder_for_format", (int coding))                                          \
    X(Context *, make_context, "heif_context_alloc", (void))                                                   \
    X(void, free_context, "heif_context_free", (Context *))                                                    \
    X(Error, read, "heif_context_read_from_memory_without_copy",                                               \
        (Context *, const void *, size_t, const void *options))                                                \
    X(void, set_thread_count, "heif_context_set_max_decoding_threads", (Context *, int))                       \
    X(void, set_max_side, "heif_context_set_maximum_image_size_limit", (Context *, int))                       \
    X(Error, get_primary, "heif_context_get_primary_image_handle", (Context *, Handle **))                     \
    X(void, free_handle, "heif_image_handle_release", (const Handle *))                                        \
    X(int, get_width, "heif_image_handle_get_width", (const Handle *))                                         \
    X(int, get_height, "heif_image_handle_get_height", (const Handle *))                                       \
    X(int, has_alpha, "heif_image_handle_has_alpha_channel", (const Handle *))                                 \
    X(int, is_premultiplied, "heif_image_handle_is_premultiplied_alpha", (const Handle *))                     \
    X(size_t, get_profile_size, "heif_image_handle_get_raw_color_profile_size", (const Handle *))              \
    X(Error, get_profile, "heif_image_handle_get_raw_color_profile", (const Handle *, void *))                 \
    X(Error, get_code_points, "heif_image_handle_get_nclx_color_profile", (const Handle *, CodePoints **))     \
    X(void, free_code_points, "heif_nclx_color_profile_free", (CodePoints *))                                  \
    X(Options *, make_options, "heif_decoding_options_alloc", (void))                                          \
    X(void, free_options, "heif_decoding_options_free", (Options *))                                           \
    X(Error, decode, "heif_decode_image", (const Handle *, Image **, int colors, int layout, const Options *)) \
    X(void, free_image, "heif_image_release", (const Image *))                                                 \
    X(int, get_image_width, "heif_image_get_width", (const Image *, int channel))                              \
    X(int, get_image_height, "heif_image_get_height", (const Image *, int channel))                            \
    X(uint8_t *, get_plane, "heif_image_get_plane", (Image *, int channel, int *stride))

// Set once by `load`; NULL without libheif, and optional functions also with older versions.
static struct {
    FUNCTIONS(DECLARE)
    // 1.19.
    Limits *(*get_limits)(const Context *);
} heif;

static bool is_loaded;

static void load(void) {
    // Never closed: the functions are used until the process ends, and so are the plug-ins.
    void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    bool is_complete = true;
#define LOOK_UP(result, field, name, parameters) \
    is_complete = find_function(library, name, &heif.field) && is_complete;
    FUNCTIONS(LOOK_UP)
    find_function(library, "heif_context_get_security_limits", &heif.get_limits);
    is_loaded = is_complete;
    // If a plug-in cannot be loaded, `codec_heif_decodes` reports the missing decoder.
    if (is_loaded) heif.start(NULL);
}

bool codec_heif_decodes(codec_heif_coding coding) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded && heif.has_decoder(coding) != 0;
}

struct codec_heif_file {
    Context *context;
    Handle *handle;
    Image *image;
};

// Copies the message, which belongs to the context.
static bool succeeded(Error error, codec_heif_header *header) {
    if (error.code == 0) {
        header->status = CODEC_OK;
    } else if (error.code == ERROR_MEMORY || error.detail == DETAIL_LIMIT) {
        header->status = CODEC_TOO_LARGE;
    } else if (
        error.code == ERROR_UNSUPPORTED_TYPE || error.code == ERROR_UNSUPPORTED_FEATURE ||
        error.detail == DETAIL_NO_DECODER) {
        header->status = CODEC_UNSUPPORTED;
    } else {
        header->status = CODEC_CORRUPT;
    }
    snprintf(header->message, sizeof header->message, "%s", error.message ? error.message : "");
    return error.code == 0;
}

static bool fail(codec_heif_header *header, codec_status status, const char *message) {
    header->status = status;
    snprintf(header->message, sizeof header->message, "%s", message);
    return false;
}

static void set_limits(Context *context, int max_side, uint64_t max_pixel_count, uint64_t max_byte_count) {
    // The sides must be below this limit.
    heif.set_max_side(context, max_side + 1);
    Limits *limits = heif.get_limits ? heif.get_limits(context) : NULL;
    if (!limits || limits->version < 1) return;
    limits->pixel_count = max_pixel_count;
    limits->block_byte_count = max_byte_count;
    if (limits->version >= 2) limits->byte_count = max_byte_count;
}

static bool open_image(codec_heif_file *file, const uint8_t *bytes, size_t byte_count, codec_heif_header *header) {
    // Tiles are decoded on the calling thread.
    heif.set_thread_count(file->context, 0);
    if (!succeeded(heif.read(file->context, bytes, byte_count, NULL), header)) return false;
    if (!succeeded(heif.get_primary(file->context, &file->handle), header)) return false;
    if (heif.get_width(file->handle) <= 0 || heif.get_height(file->handle) <= 0) {
        return fail(header, CODEC_CORRUPT, "an image without pixels");
    }
    header->has_alpha = heif.has_alpha(file->handle) != 0;
    header->profile_byte_count = heif.get_profile_size(file->handle);
    CodePoints *points = NULL;
    if (heif.get_code_points(file->handle, &points).code == 0 && points) {
        header->primaries = points->primaries;
        header->transfer = points->transfer;
        heif.free_code_points(points);
    }
    return true;
}

codec_heif_file *codec_heif_open(
    const uint8_t *bytes, size_t byte_count, int max_side, uint64_t max_pixel_count, uint64_t max_byte_count,
    codec_heif_header *header) {
    memset(header, 0, sizeof *header);
    if (!is_loaded) {
        fail(header, CODEC_UNSUPPORTED, "libheif is not installed");
        return NULL;
    }
    codec_heif_file *file = calloc(1, sizeof *file);
    if (file) file->context = heif.make_context();
    if (!file || !file->context) {
        fail(header, CODEC_NO_MEMORY, "no memory");
        codec_heif_close(file);
        return NULL;
    }
    set_limits(file->context, max_side, max_pixel_count, max_byte_count);
    if (open_image(file, bytes, byte_count, header)) return file;
    codec_heif_close(file);
    return NULL;
}

bool codec_heif_read_profile(const codec_heif_file *file, uint8_t *profile) {
    return heif.get_profile(file->handle, profile).code == 0;
}

// Converts premultiplied colors to straight ones.
static void divide_by_alpha(codec_heif_pixels pixels) {
    for (int y = 0; y < pixels.height; y++) {
        uint8_t *pixel = pixels.pixels + (size_t)y * pixels.stride;
        for (int x = 0; x < pixels.width; x++, pixel += 4) {
            unsigned alpha = pixel[3];
            for (int channel = 0; channel < 3 && alpha < 255; channel++) {
                unsigned color = alpha ? (pixel[channel] * 255u + alpha / 2) / alpha : 0;
                pixel[channel] = (uint8_t)(color < 255 ? color : 255);
            }
        }
    }
}

static bool get_pixels(codec_heif_file *file, codec_heif_pixels *pixels, codec_heif_header *header) {
    int stride = 0;
    *pixels = (codec_heif_pixels){
        .pixels = heif.get_plane(file->image, CHANNEL_INTERLEAVED, &stride),
        .width = heif.get_image_width(file->image, CHANNEL_INTERLEAVED),
        .height = heif.get_image_height(file->image, CHANNEL_INTERLEAVED),
        .has_alpha = heif.has_alpha(file->handle) != 0,
    };
    pixels->stride = (size_t)stride;
    int64_t row = (int64_t)pixels->width * (pixels->has_alpha ? 4 : 3);
    if (!pixels->pixels || row <= 0 || pixels->height <= 0 || stride < row) {
        return fail(header, CODEC_CORRUPT, "an image without pixels");
    }
    if (pixels->has_alpha && heif.is_premultiplied(file->handle)) divide_by_alpha(*pixels);
    return true;
}

bool codec_heif_decode(codec_heif_file *file, codec_heif_pixels *pixels, codec_heif_header *header) {
    Options *options = heif.make_options();
    if (!options) return fail(header, CODEC_NO_MEMORY, "no memory");
    if (options->version >= 2) options->converts_to_8_bits = 1;
    // Otherwise libheif leaves the pixels of missing tiles unwritten.
    if (options->version >= 3) options->is_strict = 1;
    if (options->version >= 8) options->codec_thread_count = 1;
    int layout = heif.has_alpha(file->handle) ? LAYOUT_RGBA : LAYOUT_RGB;
    Error error = heif.decode(file->handle, &file->image, COLORS_RGB, layout, options);
    heif.free_options(options);
    if (!succeeded(error, header)) return false;
    if (!file->image) return fail(header, CODEC_CORRUPT, "no image");
    return get_pixels(file, pixels, header);
}

void codec_heif_close(codec_heif_file *file) {
    if (!file) return;
    if (file->image) heif.free_image(file->image);
    if (file->handle) heif.free_handle(file->handle);
    if (file->context) heif.free_context(file->context);
    free(file);
}
