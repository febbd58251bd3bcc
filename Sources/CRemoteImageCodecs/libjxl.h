// Declarations of the libjxl interface (jxl/decode.h, jxl/codestream_header.h,
// jxl/color_encoding.h, jxl/memory_manager.h), which is the same in versions 0.7 to 0.11 except for
// one parameter of two functions.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "functions.h"

typedef struct JxlDecoder JxlDecoder;

enum {
    STATUS_SUCCESS = 0,
    STATUS_NEED_MORE_INPUT = 2,
    STATUS_NEED_IMAGE_OUT_BUFFER = 5,
    EVENT_BASIC_INFO = 0x40,
    EVENT_COLOR_ENCODING = 0x100,
    EVENT_FRAME = 0x400,
    EVENT_FULL_IMAGE = 0x1000,
    EVENT_FRAME_PROGRESSION = 0x8000,
};
enum { TYPE_UINT8 = 2, PROFILE_OF_PIXELS = 1, DETAIL_PASSES = 3, CHANNEL_BLACK = 4 };
enum { SPACE_RGB = 0, SPACE_GRAY = 1, WHITE_D65 = 1, PRIMARIES_SRGB = 1, TRANSFER_SRGB = 13, INTENT_RELATIVE = 1 };

typedef struct {
    void *opaque;
    void *(*allocate)(void *opaque, size_t count);
    void (*release)(void *opaque, void *memory);
} MemoryFunctions;

typedef struct {
    int have_container;
    uint32_t width, height;
    uint32_t bits_per_sample, exponent_bits_per_sample;
    float intensity_target, min_nits;
    int relative_to_max_display;
    float linear_below;
    int uses_original_profile, have_preview, have_animation;
    int orientation;
    uint32_t color_channel_count, extra_channel_count;
    uint32_t alpha_bits, alpha_exponent_bits;
    int alpha_premultiplied;
    uint32_t preview_width, preview_height;
    uint32_t ticks_numerator, ticks_denominator, loop_count;
    int have_timecodes;
    uint32_t intrinsic_width, intrinsic_height;
    uint8_t padding[100];
} BasicInfo;

typedef struct {
    int type;
    uint32_t bits_per_sample, exponent_bits_per_sample, dim_shift, name_length;
    int alpha_premultiplied;
    float spot_color[4];
    uint32_t cfa_channel;
} ExtraChannelInfo;

typedef struct {
    uint32_t duration, timecode, name_length;
    int is_last;
    int have_crop;
    int32_t crop_x, crop_y;
    uint32_t width, height;
    int blend_mode;
    uint32_t blend_source, blend_alpha;
    int blend_clamp;
    uint32_t save_as_reference;
} FrameHeader;

typedef struct {
    uint32_t channel_count;
    int data_type, endianness;
    size_t align;
} PixelFormat;

typedef struct {
    int color_space;
    int white_point;
    double white[2];
    int primaries;
    double red[2], green[2], blue[2];
    int transfer_function;
    double gamma;
    int rendering_intent;
} ColorEncoding;

_Static_assert(sizeof(BasicInfo) == 204, "JxlBasicInfo");
_Static_assert(sizeof(ExtraChannelInfo) == 44, "JxlExtraChannelInfo");
_Static_assert(sizeof(FrameHeader) == 56, "JxlFrameHeader");

/// Version 0.9 removed a parameter of the functions that read profiles.
enum { FIRST_VERSION_WITHOUT_FORMAT = 9000 };

#define LIBJXL_FUNCTIONS(X)                                                                                \
    X(uint32_t, version, "JxlDecoderVersion", (void))                                                      \
    X(JxlDecoder *, create, "JxlDecoderCreate", (const MemoryFunctions *memory))                           \
    X(void, destroy, "JxlDecoderDestroy", (JxlDecoder *decoder))                                           \
    X(void, rewind, "JxlDecoderRewind", (JxlDecoder *decoder))                                             \
    X(int, subscribe, "JxlDecoderSubscribeEvents", (JxlDecoder *decoder, int events))                      \
    X(int, set_coalescing, "JxlDecoderSetCoalescing", (JxlDecoder *decoder, int is_on))                    \
    X(int, set_unpremultiply, "JxlDecoderSetUnpremultiplyAlpha", (JxlDecoder *decoder, int is_on))         \
    X(int, set_intensity_target, "JxlDecoderSetDesiredIntensityTarget", (JxlDecoder *decoder, float nits)) \
    X(int, set_preferred_profile, "JxlDecoderSetPreferredColorProfile",                                    \
        (JxlDecoder *decoder, const ColorEncoding *encoding))                                              \
    X(int, set_progressive_detail, "JxlDecoderSetProgressiveDetail", (JxlDecoder *decoder, int detail))    \
    X(int, set_input, "JxlDecoderSetInput", (JxlDecoder *decoder, const uint8_t *bytes, size_t count))     \
    X(size_t, release_input, "JxlDecoderReleaseInput", (JxlDecoder *decoder))                              \
    X(void, skip_frames, "JxlDecoderSkipFrames", (JxlDecoder *decoder, size_t count))                      \
    X(int, process, "JxlDecoderProcessInput", (JxlDecoder *decoder))                                       \
    X(int, read_info, "JxlDecoderGetBasicInfo", (const JxlDecoder *decoder, BasicInfo *info))              \
    X(int, read_extra_channel, "JxlDecoderGetExtraChannelInfo",                                            \
        (const JxlDecoder *decoder, size_t index, ExtraChannelInfo *info))                                 \
    X(int, read_frame, "JxlDecoderGetFrameHeader", (const JxlDecoder *decoder, FrameHeader *header))       \
    X(int, buffer_size, "JxlDecoderImageOutBufferSize",                                                    \
        (const JxlDecoder *decoder, const PixelFormat *format, size_t *count))                             \
    X(int, set_buffer, "JxlDecoderSetImageOutBuffer",                                                      \
        (JxlDecoder *decoder, const PixelFormat *format, void *buffer, size_t count))                      \
    X(int, flush, "JxlDecoderFlushImage", (JxlDecoder *decoder))                                           \
    X(void, profile_size, "JxlDecoderGetICCProfileSize", (void))                                           \
    X(void, profile, "JxlDecoderGetColorAsICCProfile", (void))

/// The functions of libjxl, set once by `load`.
typedef struct {
    LIBJXL_FUNCTIONS(DECLARE)
} LibJXL;
