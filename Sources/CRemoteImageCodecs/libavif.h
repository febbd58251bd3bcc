// Declarations of the libavif interface (avif/avif.h) for the library versions `libavif.so.15`
// (0.11) and `libavif.so.16` (1.0 and later).
//
// libavif allocates decoders and images, and the fields declared here are at the same offsets in
// both versions. They end before the first field that differs. `RGBImage` is allocated by the
// caller; version 16 added a field before its last two, whose offset is in `LibAVIF`.
// Tests/Codecs/libavif-layout.c compares all of this with the headers of a release.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "functions.h"

enum {
    RESULT_OK = 0,
    RESULT_UNSUPPORTED_DEPTH = 6,
    RESULT_NO_CODEC_AVAILABLE = 15,
    RESULT_IO_ERROR = 22,
    RESULT_NOT_IMPLEMENTED = 25,
    RESULT_OUT_OF_MEMORY = 26,
};
enum { CODEC_AUTO = 0, CODEC_DAV1D = 2, CODEC_CAN_DECODE = 1 };
enum { SOURCE_PRIMARY_ITEM = 1, SOURCE_TRACKS = 2 };
enum { STRICT_DISABLED = 0, FORMAT_RGBA = 1 };
enum { MATRIX_UNSPECIFIED = 2, MATRIX_BT2020 = 9, MATRIX_CONSTANT_LUMINANCE = 10, MATRIX_YCGCO_RO = 17 };
enum { TRANSFER_PQ = 16, TRANSFER_HLG = 18 };
// libavif refuses a higher limit.
enum { MAX_PIXEL_COUNT = 16384 * 16384 };
// The offset of `pixels` in `avifRGBImage`; `rowBytes` follows it.
enum { PIXELS_OFFSET_15 = 40, PIXELS_OFFSET_16 = 48 };

typedef struct {
    uint8_t *data;
    size_t size;
} AVIFData;

// The start of `avifImage`.
typedef struct {
    uint32_t width, height, depth;
    int yuv_format, yuv_range, chroma_position;
    uint8_t *yuv_planes[3];
    uint32_t yuv_strides[3];
    int owns_yuv_planes;
    uint8_t *alpha_plane;
    uint32_t alpha_stride;
    int owns_alpha_plane, is_premultiplied;
    AVIFData profile;
    uint16_t primaries, transfer, matrix;
} AVIFImage;

typedef struct {
    uint64_t timescale;
    double time;
    uint64_t time_in_scale;
    double duration;
    uint64_t duration_in_scale;
} AVIFTiming;

// The start of `avifDecoder`.
typedef struct {
    int codec, max_threads, source;
    int allows_progressive, allows_incremental, ignores_exif, ignores_xmp;
    uint32_t max_pixel_count, max_side, max_image_count, strict_flags;
    AVIFImage *image;
    int image_index, image_count;
} AVIFDecoder;

// `avifIO`, which the caller may allocate.
typedef struct AVIFInput AVIFInput;
struct AVIFInput {
    void (*destroy)(AVIFInput *input);
    int (*read)(AVIFInput *input, uint32_t flags, uint64_t offset, size_t size, AVIFData *output);
    void *write;
    uint64_t size_hint;
    int is_persistent;
    void *data;
};

// `avifRGBImage` up to the first offset that differs, and room for the rest.
typedef struct {
    uint32_t width, height, depth;
    int format, upsampling, downsampling, avoids_libyuv, ignores_alpha, is_premultiplied, is_float;
    uint64_t rest[11];
} RGBImage;

#define LIBAVIF_FUNCTIONS(X)                                                                     \
    X(const char *, codec_name, "avifCodecName", (int codec, uint32_t flags))                    \
    X(AVIFDecoder *, create, "avifDecoderCreate", (void))                                        \
    X(void, destroy, "avifDecoderDestroy", (AVIFDecoder *decoder))                               \
    X(int, set_source, "avifDecoderSetSource", (AVIFDecoder *decoder, int source))               \
    X(void, set_input, "avifDecoderSetIO", (AVIFDecoder *decoder, AVIFInput *input))             \
    X(int, parse, "avifDecoderParse", (AVIFDecoder *decoder))                                    \
    X(int, decode, "avifDecoderNthImage", (AVIFDecoder *decoder, uint32_t index))                \
    X(int, read_timing, "avifDecoderNthImageTiming",                                             \
        (const AVIFDecoder *decoder, uint32_t index, AVIFTiming *timing))                        \
    X(void, set_defaults, "avifRGBImageSetDefaults", (RGBImage *pixels, const AVIFImage *image)) \
    X(int, convert, "avifImageYUVToRGB", (const AVIFImage *image, RGBImage *pixels))             \
    X(const char *, describe, "avifResultToString", (int result))

// The functions of libavif, set once by `load`.
typedef struct {
    LIBAVIF_FUNCTIONS(DECLARE)
    size_t pixels_offset;
} LibAVIF;
