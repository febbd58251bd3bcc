// The border to libjxl: its functions by name, with own declarations of what they take and give.

#include "jxl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: The interface of libjxl, the same in versions 0.7 to 0.11 but for one parameter of two functions (jxl/decode.h,
// jxl/codestream_header.h, jxl/color_encoding.h, jxl/memory_manager.h)

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

/// Version 0.9 left out a parameter of the functions that read profiles.
enum { FIRST_VERSION_WITHOUT_FORMAT = 9000 };

// Set once by `load`, or all null.
static struct {
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
    int (*process)(JxlDecoder *decoder);
    int (*read_info)(const JxlDecoder *decoder, BasicInfo *info);
    int (*read_extra_channel)(const JxlDecoder *decoder, size_t index, ExtraChannelInfo *info);
    int (*read_frame)(const JxlDecoder *decoder, FrameHeader *header);
    int (*buffer_size)(const JxlDecoder *decoder, const PixelFormat *format, size_t *count);
    int (*set_buffer)(JxlDecoder *decoder, const PixelFormat *format, void *buffer, size_t count);
    int (*flush)(JxlDecoder *decoder);
    void *profile_size;
    void *profile;
} jxl;

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
        {"JxlDecoderVersion", &jxl.version},
        {"JxlDecoderCreate", &jxl.create},
        {"JxlDecoderDestroy", &jxl.destroy},
        {"JxlDecoderRewind", &jxl.rewind},
        {"JxlDecoderSubscribeEvents", &jxl.subscribe},
        {"JxlDecoderSetCoalescing", &jxl.set_coalescing},
        {"JxlDecoderSetUnpremultiplyAlpha", &jxl.set_unpremultiply},
        {"JxlDecoderSetDesiredIntensityTarget", &jxl.set_intensity_target},
        {"JxlDecoderSetPreferredColorProfile", &jxl.set_preferred_profile},
        {"JxlDecoderSetProgressiveDetail", &jxl.set_progressive_detail},
        {"JxlDecoderSetInput", &jxl.set_input},
        {"JxlDecoderProcessInput", &jxl.process},
        {"JxlDecoderGetBasicInfo", &jxl.read_info},
        {"JxlDecoderGetExtraChannelInfo", &jxl.read_extra_channel},
        {"JxlDecoderGetFrameHeader", &jxl.read_frame},
        {"JxlDecoderImageOutBufferSize", &jxl.buffer_size},
        {"JxlDecoderSetImageOutBuffer", &jxl.set_buffer},
        {"JxlDecoderFlushImage", &jxl.flush},
        {"JxlDecoderGetICCProfileSize", &jxl.profile_size},
        {"JxlDecoderGetColorAsICCProfile", &jxl.profile},
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

// MARK: The decoder

struct codec_jxl {
    JxlDecoder *libjxl;
    codec_jxl_request request;
    PixelFormat format;
    size_t held;
    /// Whether libjxl was refused memory: what it reports then is no damage of the file.
    bool has_refused;
    uint8_t *profile;
};

/// Precedes each block that libjxl gets; of a size that keeps the block's alignment.
typedef union {
    size_t count;
    max_align_t alignment;
} BlockHead;

// Called by libjxl on the thread that uses the decoder.
static void *allocate(void *opaque, size_t count) {
    codec_jxl *self = opaque;
    if (count > self->request.max_memory || self->held > self->request.max_memory - count) {
        self->has_refused = true;
        return NULL;
    }
    BlockHead *block = malloc(sizeof *block + count);
    if (!block) {
        self->has_refused = true;
        return NULL;
    }
    block->count = count;
    self->held += count;
    return block + 1;
}

// As above; takes back a block of `allocate`, or NULL.
static void release(void *opaque, void *memory) {
    if (!memory) return;
    BlockHead *block = (BlockHead *)memory - 1;
    ((codec_jxl *)opaque)->held -= block->count;
    free(block);
}

static codec_jxl_status failure(const codec_jxl *self, int status) {
    if (self->has_refused) return CODEC_JXL_NO_MEMORY;
    return status == STATUS_NEED_MORE_INPUT ? CODEC_JXL_INCOMPLETE : CODEC_JXL_CORRUPT;
}

// Gives libjxl the bytes, from the first one on.
static bool start(codec_jxl *self, int events) {
    if (jxl.subscribe(self->libjxl, events) != STATUS_SUCCESS) return false;
    // The input is not closed: that would turn "more input is needed" into an error like any other.
    return jxl.set_input(self->libjxl, self->request.bytes, self->request.byte_count) == STATUS_SUCCESS;
}

// MARK: Before the pixels

static codec_jxl_status check_info(codec_jxl *self, const BasicInfo *info, codec_jxl_header *header) {
    header->width = info->width;
    header->height = info->height;
    header->channels = info->alpha_bits > 0 ? 4 : 3;
    if (info->width != self->request.width || info->height != self->request.height) return CODEC_JXL_OTHER_SIZE;
    uint64_t pixel_count = (uint64_t)info->width * info->height;
    uint64_t channel_count = (uint64_t)info->extra_channel_count + 1;
    // Each further channel is decoded too, whether it is shown or not.
    if (channel_count > self->request.max_pixel_count / (pixel_count > 0 ? pixel_count : 1)) return CODEC_JXL_TOO_LARGE;
    // libjxl holds about nine bytes for each of their samples, and before 0.11 takes that memory without asking.
    uint64_t unseen_count = channel_count - (info->alpha_bits > 0 ? 2 : 1);
    if (info->alpha_bits > 0 && info->extra_channel_count == 0) return CODEC_JXL_CORRUPT;
    if (unseen_count * 9 > self->request.max_memory / (pixel_count > 0 ? pixel_count : 1)) return CODEC_JXL_TOO_LARGE;
    for (uint32_t index = 0; index < info->extra_channel_count; index++) {
        ExtraChannelInfo channel = {0};
        if (jxl.read_extra_channel(self->libjxl, index, &channel) != STATUS_SUCCESS) return CODEC_JXL_CORRUPT;
        if (channel.type == CHANNEL_BLACK) return CODEC_JXL_UNSUPPORTED;
    }
    return CODEC_JXL_DECODED;
}

static int read_profile_size(const codec_jxl *self, size_t *count) {
    if (jxl.version() >= FIRST_VERSION_WITHOUT_FORMAT) {
        return ((int (*)(const JxlDecoder *, int, size_t *))jxl.profile_size)(self->libjxl, PROFILE_OF_PIXELS, count);
    }
    return ((int (*)(const JxlDecoder *, const PixelFormat *, int, size_t *))jxl.profile_size)(
        self->libjxl, &self->format, PROFILE_OF_PIXELS, count);
}

static int read_profile(const codec_jxl *self, uint8_t *profile, size_t count) {
    if (jxl.version() >= FIRST_VERSION_WITHOUT_FORMAT) {
        return ((int (*)(const JxlDecoder *, int, uint8_t *, size_t))jxl.profile)(
            self->libjxl, PROFILE_OF_PIXELS, profile, count);
    }
    return ((int (*)(const JxlDecoder *, const PixelFormat *, int, uint8_t *, size_t))jxl.profile)(
        self->libjxl, &self->format, PROFILE_OF_PIXELS, profile, count);
}

// Asks for sRGB, which libjxl converts to where the file has its own absolute colours, and else for the profile of the pixels.
static codec_jxl_status choose_colours(codec_jxl *self, const BasicInfo *info, codec_jxl_header *header) {
    ColorEncoding srgb = {
        .color_space = info->color_channel_count == 1 ? SPACE_GRAY : SPACE_RGB,
        .white_point = WHITE_D65,
        .primaries = PRIMARIES_SRGB,
        .transfer_function = TRANSFER_SRGB,
        .rendering_intent = INTENT_RELATIVE,
    };
    if (!info->uses_original_profile && jxl.set_preferred_profile(self->libjxl, &srgb) == STATUS_SUCCESS) {
        return CODEC_JXL_DECODED;
    }
    size_t count = 0;
    if (read_profile_size(self, &count) != STATUS_SUCCESS) return CODEC_JXL_DECODED;
    if (count == 0 || count > self->request.max_profile_byte_count) return CODEC_JXL_DECODED;
    free(self->profile);
    self->profile = malloc(count);
    if (!self->profile) return CODEC_JXL_NO_MEMORY;
    if (read_profile(self, self->profile, count) != STATUS_SUCCESS) return CODEC_JXL_DECODED;
    header->profile = self->profile;
    header->profile_byte_count = count;
    return CODEC_JXL_DECODED;
}

// Walks over the layers, whose pixels libjxl skips. A layer with a duration ends a frame, and so does the last one. An animation
// may be cut off behind its first frame, which is all that is decoded.
static codec_jxl_status count_frames(codec_jxl *self, codec_jxl_header *header) {
    header->frame_count = 0;
    uint64_t sum = 0;
    jxl.set_coalescing(self->libjxl, 0);
    if (!start(self, EVENT_FRAME)) return CODEC_JXL_CORRUPT;
    while (header->frame_count < self->request.max_frame_count) {
        int status = jxl.process(self->libjxl);
        if (status == STATUS_SUCCESS) break;
        if (status == STATUS_NEED_MORE_INPUT && (self->request.is_beginning || header->frame_count > 0)) break;
        FrameHeader frame = {0};
        if (status != EVENT_FRAME || jxl.read_frame(self->libjxl, &frame) != STATUS_SUCCESS) return failure(self, status);
        uint64_t pixel_count = (uint64_t)frame.width * frame.height;
        if (header->frame_count == 0) {
            // Blending a layer costs as much as its canvas.
            uint64_t canvas = (uint64_t)self->request.width * self->request.height;
            sum += pixel_count > canvas ? pixel_count : canvas;
            if (pixel_count > self->request.max_layer_pixel_count || sum > self->request.max_pixel_count) {
                return CODEC_JXL_TOO_LARGE;
            }
        }
        if (frame.duration > 0 || frame.is_last) header->frame_count += 1;
        if (frame.is_last) break;
    }
    if (header->frame_count == 0) header->frame_count = 1;
    return CODEC_JXL_DECODED;
}

static codec_jxl_status read_header(codec_jxl *self, codec_jxl_header *header) {
    codec_jxl_status result = count_frames(self, header);
    if (result != CODEC_JXL_DECODED) return result;
    jxl.rewind(self->libjxl);
    jxl.set_coalescing(self->libjxl, 1);
    jxl.set_unpremultiply(self->libjxl, 1);
    int events = EVENT_BASIC_INFO | EVENT_COLOR_ENCODING | EVENT_FULL_IMAGE;
    if (self->request.is_beginning) {
        events |= EVENT_FRAME_PROGRESSION;
        jxl.set_progressive_detail(self->libjxl, DETAIL_PASSES);
    }
    if (!start(self, events)) return CODEC_JXL_CORRUPT;
    int status = jxl.process(self->libjxl);
    BasicInfo info = {0};
    if (status != EVENT_BASIC_INFO || jxl.read_info(self->libjxl, &info) != STATUS_SUCCESS) return failure(self, status);
    result = check_info(self, &info, header);
    if (result != CODEC_JXL_DECODED) return result;
    // The brightness of white on an ordinary display, to which HDR is mapped. Version 0.7 garbles pixels that it does not
    // convert.
    if (!info.uses_original_profile) jxl.set_intensity_target(self->libjxl, 255);
    status = jxl.process(self->libjxl);
    if (status != EVENT_COLOR_ENCODING) return failure(self, status);
    self->format = (PixelFormat){.channel_count = header->channels, .data_type = TYPE_UINT8};
    return choose_colours(self, &info, header);
}

codec_jxl *codec_jxl_open(const codec_jxl_request *request, codec_jxl_header *header) {
    *header = (codec_jxl_header){.status = CODEC_JXL_UNSUPPORTED};
    if (!codec_jxl_is_installed()) return NULL;
    header->status = CODEC_JXL_NO_MEMORY;
    codec_jxl *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->request = *request;
    self->libjxl = jxl.create(&(MemoryFunctions){self, allocate, release});
    if (self->libjxl) header->status = read_header(self, header);
    if (header->status == CODEC_JXL_DECODED) return self;
    header->profile = NULL;
    codec_jxl_close(self);
    return NULL;
}

// MARK: The pixels

codec_jxl_status codec_jxl_decode(codec_jxl *self, uint8_t *pixels, size_t capacity) {
    // Whatever libjxl leaves out must not show what the memory held before.
    memset(pixels, 0, capacity);
    bool has_pass = false;
    while (true) {
        int status = jxl.process(self->libjxl);
        switch (status) {
        case STATUS_NEED_IMAGE_OUT_BUFFER: {
            size_t count = 0;
            if (jxl.buffer_size(self->libjxl, &self->format, &count) != STATUS_SUCCESS || count > capacity ||
                jxl.set_buffer(self->libjxl, &self->format, pixels, capacity) != STATUS_SUCCESS) {
                return failure(self, status);
            }
            break;
        }
        case EVENT_FRAME_PROGRESSION: has_pass = true; break;
        case EVENT_FULL_IMAGE: return CODEC_JXL_DECODED;
        case STATUS_NEED_MORE_INPUT:
            if (has_pass && jxl.flush(self->libjxl) == STATUS_SUCCESS) return CODEC_JXL_DECODED;
            return failure(self, status);
        default: return failure(self, status);
        }
    }
}

void codec_jxl_close(codec_jxl *self) {
    if (!self) return;
    if (self->libjxl) jxl.destroy(self->libjxl);
    free(self->profile);
    free(self);
}
