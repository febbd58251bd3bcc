// Declarations of the libjxl interface (jxl/decode.h, jxl/codestream_header.h,
// jxl/color_encoding.h, jxl/memory_manager.h), which is the same in versions 0.7 to 0.11 except for
// one parameter of two functions.
#pragma once
#include <stddef.h>
#include <stdint.h>

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

/// The functions of libjxl, set once by `codec_jxl_is_installed`; all NULL if it is not installed.
typedef struct {
    uint32_t (*version)(void);
    JxlDecoder *(*create)(const MemoryFunctions *memory);
    void (*destroy)(JxlDecoder *decoder);
    void (*rewind)(JxlDecoder *decoder);
    int (*subscribe)(JxlDecoder *decoder, int events);
    int (*set_coalescing)(JxlDecoder *decoder, int is_on);
    int (*set_unpremultiply)(JxlDecoder *decoder, int is_on);
    int (*set_intensity_target)(JxlDecoder *decoder, float nits);
    int (*set_preferred_profile)(JxlDecoder *decoder, const ColorEncoding *encoding);
    int (*set_progressive_detail)(JxlDecoder *decoder, int detail);
    int (*set_input)(JxlDecoder *decoder, const uint8_t *bytes, size_t count);
    size_t (*release_input)(JxlDecoder *decoder);
    void (*skip_frames)(JxlDecoder *decoder, size_t count);
    int (*process)(JxlDecoder *decoder);
    int (*read_info)(const JxlDecoder *decoder, BasicInfo *info);
    int (*read_extra_channel)(const JxlDecoder *decoder, size_t index, ExtraChannelInfo *info);
    int (*read_frame)(const JxlDecoder *decoder, FrameHeader *header);
    int (*buffer_size)(const JxlDecoder *decoder, const PixelFormat *format, size_t *count);
    int (*set_buffer)(JxlDecoder *decoder, const PixelFormat *format, void *buffer, size_t count);
    int (*flush)(JxlDecoder *decoder);
    void *profile_size;
    void *profile;
} LibJXL;

extern LibJXL libjxl __attribute__((visibility("hidden")));
