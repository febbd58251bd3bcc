#include "avif.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "libavif.h"

// MARK: The library

static LibAVIF libavif;
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

// MARK: Files

struct codec_avif_file {
    AVIFDecoder *decoder;
    AVIFInput input;
    // Set during a call.
    const uint8_t *bytes;
    size_t byte_count;
};

static int read_bytes(AVIFInput *input, uint32_t flags, uint64_t offset, size_t size, AVIFData *output) {
    const codec_avif_file *file = input->data;
    if (flags != 0 || offset > file->byte_count) return RESULT_IO_ERROR;
    size_t rest = file->byte_count - (size_t)offset;
    // libavif only reads.
    output->data = (uint8_t *)file->bytes + offset;
    output->size = size < rest ? size : rest;
    return RESULT_OK;
}

static bool succeeded(int result, codec_avif_header *header) {
    header->message = result == RESULT_OK ? NULL : libavif.describe(result);
    switch (result) {
    case RESULT_OK:
        header->status = CODEC_OK;
        return true;
    case RESULT_OUT_OF_MEMORY:
        header->status = CODEC_NO_MEMORY;
        return false;
    case RESULT_NO_CODEC_AVAILABLE:
    case RESULT_NOT_IMPLEMENTED:
    case RESULT_UNSUPPORTED_DEPTH:
        header->status = CODEC_UNSUPPORTED;
        return false;
    default:
        header->status = CODEC_CORRUPT;
        return false;
    }
}

// The fields of the file until a frame is decoded, then those of the frame.
static void describe(const codec_avif_file *file, codec_avif_header *header) {
    const AVIFImage *image = file->decoder->image;
    header->width = image->width;
    header->height = image->height;
    header->has_alpha = image->alpha_plane != NULL;
    header->profile = image->profile.size > 0 ? image->profile.data : NULL;
    header->profile_byte_count = image->profile.size;
    header->primaries = image->primaries;
    header->transfer = image->transfer;
    header->frame_count = file->decoder->image_count > 0 ? (uint32_t)file->decoder->image_count : 0;
}

static bool parse(codec_avif_file *file, const codec_avif_request *request, codec_avif_header *header) {
    AVIFDecoder *decoder = file->decoder;
    // Unlike the others, dav1d refuses frames above the limit before it allocates their memory.
    if (libavif.codec_name(CODEC_DAV1D, CODEC_CAN_DECODE)) decoder->codec = CODEC_DAV1D;
    decoder->max_threads = 1;
    decoder->ignores_exif = 1;
    decoder->ignores_xmp = 1;
    decoder->max_pixel_count =
        request->max_pixel_count < MAX_PIXEL_COUNT ? request->max_pixel_count : MAX_PIXEL_COUNT;
    // The pixels are limited; 0 means that the sides are not.
    decoder->max_side = 0;
    decoder->max_image_count = request->max_frame_count;
    // Old encoders left out `pixi`, and `ispe` of alpha; the caller ignores invalid crops.
    decoder->strict_flags = STRICT_DISABLED;
    int source = request->is_sequence ? SOURCE_TRACKS : SOURCE_PRIMARY_ITEM;
    if (!succeeded(libavif.set_source(decoder, source), header)) return false;
    // `destroy` is NULL, so the decoder does not free the input.
    file->input = (AVIFInput){.read = read_bytes, .size_hint = file->byte_count, .data = file};
    libavif.set_input(decoder, &file->input);
    return succeeded(libavif.parse(decoder), header);
}

codec_avif_file *codec_avif_open(
    const uint8_t *bytes, size_t byte_count, const codec_avif_request *request, codec_avif_header *header) {
    memset(header, 0, sizeof *header);
    codec_avif_file *file = calloc(1, sizeof *file);
    if (file) file->decoder = libavif.create();
    if (!file || !file->decoder) {
        codec_avif_close(file);
        succeeded(RESULT_OUT_OF_MEMORY, header);
        return NULL;
    }
    file->bytes = bytes;
    file->byte_count = byte_count;
    if (!parse(file, request, header)) {
        codec_avif_close(file);
        return NULL;
    }
    describe(file, header);
    return file;
}

bool codec_avif_read_delays(const codec_avif_file *file, uint32_t *milliseconds, uint32_t count) {
    for (uint32_t index = 0; index < count; index++) {
        AVIFTiming timing;
        if (libavif.read_timing(file->decoder, index, &timing) != RESULT_OK) return false;
        double duration = timing.duration * 1000 + 0.5;
        milliseconds[index] = !(duration > 0) ? 0 : duration < UINT32_MAX ? (uint32_t)duration : UINT32_MAX;
    }
    return true;
}

bool codec_avif_decode(
    codec_avif_file *file, const uint8_t *bytes, size_t byte_count, uint32_t index, codec_avif_header *header) {
    memset(header, 0, sizeof *header);
    file->bytes = bytes;
    file->byte_count = byte_count;
    if (!succeeded(libavif.decode(file->decoder, index), header)) return false;
    describe(file, header);
    return true;
}

bool codec_avif_convert(codec_avif_file *file, uint8_t *pixels, codec_avif_header *header) {
    AVIFImage *image = file->decoder->image;
    // libavif does not convert colors with constant luminance, which differ little.
    if (image->matrix == MATRIX_CONSTANT_LUMINANCE) image->matrix = MATRIX_BT2020;
    // Reserved values (ITU-T H.273 table 4), which browsers take for an unspecified matrix.
    if (image->matrix > MATRIX_YCGCO_RO) image->matrix = MATRIX_UNSPECIFIED;
    RGBImage rgb;
    memset(&rgb, 0, sizeof rgb);
    libavif.set_defaults(&rgb, image);
    rgb.depth = 8;
    rgb.format = FORMAT_RGBA;
    rgb.is_premultiplied = 0;
    // For deep samples, libyuv converts the upper 8 bits only. The steep curves of HDR show that.
    rgb.avoids_libyuv = image->transfer == TRANSFER_PQ || image->transfer == TRANSFER_HLG;
    uint32_t stride = image->width * 4;
    char *place = (char *)&rgb + libavif.pixels_offset;
    memcpy(place, &pixels, sizeof pixels);
    memcpy(place + sizeof pixels, &stride, sizeof stride);
    return succeeded(libavif.convert(image, &rgb), header);
}

void codec_avif_close(codec_avif_file *file) {
    if (!file) return;
    if (file->decoder) libavif.destroy(file->decoder);
    free(file);
}
