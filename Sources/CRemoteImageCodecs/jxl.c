#include "jxl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "libjxl.h"

// MARK: The library

static LibJXL libjxl;
static bool is_installed;

static void load(void) {
    static const char *const names[] = {"libjxl.so.0.11", "libjxl.so.0.10", "libjxl.so.0.9", "libjxl.so.0.8", "libjxl.so.0.7"};
    // Never closed: the functions are used until the process ends.
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) return;
    bool is_complete = true;
#define LOOK_UP(result, field, name, parameters) \
    is_complete = find_function(library, name, &libjxl.field) && is_complete;
    LIBJXL_FUNCTIONS(LOOK_UP)
    is_installed = is_complete;
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
    /// Whether an allocation of libjxl was refused; a later error then does not mean a damaged
    /// file.
    bool has_refused;
    uint8_t *profile;
    /// The number of bytes that libjxl has read.
    size_t offset;
    /// The delays of the playable frames, first in ticks, later in milliseconds.
    uint32_t *delays;
    size_t delay_capacity;
};

/// The header of each block that libjxl gets; its size keeps the alignment of the block.
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

// Like `allocate`; frees a block of it, or NULL.
static void release(void *opaque, void *memory) {
    if (!memory) return;
    BlockHead *block = (BlockHead *)memory - 1;
    ((codec_jxl *)opaque)->held -= block->count;
    free(block);
}

static codec_status failure(const codec_jxl *self, int status) {
    if (self->has_refused) return CODEC_NO_MEMORY;
    return status == STATUS_NEED_MORE_INPUT ? CODEC_TRUNCATED : CODEC_CORRUPT;
}

// Passes the bytes to libjxl from the start.
static bool start(codec_jxl *self, int events) {
    if (libjxl.subscribe(self->libjxl, events) != STATUS_SUCCESS) return false;
    // The input is not closed, since libjxl would then report missing input as an ordinary error.
    return libjxl.set_input(self->libjxl, self->request.bytes, self->request.byte_count) == STATUS_SUCCESS;
}

// The bytes may move until the next call.
static void pause_reading(codec_jxl *self) {
    self->offset = self->request.byte_count - libjxl.release_input(self->libjxl);
    self->request.bytes = NULL;
}

// MARK: Before the pixels

static codec_status check_info(codec_jxl *self, const BasicInfo *info, codec_jxl_header *header) {
    header->width = info->width;
    header->height = info->height;
    header->channels = info->alpha_bits > 0 ? 4 : 3;
    if (info->width != self->request.width || info->height != self->request.height) return CODEC_OTHER_SIZE;
    uint64_t pixel_count = (uint64_t)info->width * info->height;
    uint64_t channel_count = (uint64_t)info->extra_channel_count + 1;
    // libjxl also decodes extra channels that are not shown.
    if (channel_count > self->request.max_pixel_count / (pixel_count > 0 ? pixel_count : 1)) return CODEC_TOO_LARGE;
    // libjxl holds about nine bytes per sample of an extra channel; before 0.11, it allocates them
    // outside the limit.
    uint64_t unseen_count = channel_count - (info->alpha_bits > 0 ? 2 : 1);
    if (info->alpha_bits > 0 && info->extra_channel_count == 0) return CODEC_CORRUPT;
    if (unseen_count * 9 > self->request.max_memory / (pixel_count > 0 ? pixel_count : 1)) return CODEC_TOO_LARGE;
    for (uint32_t index = 0; index < info->extra_channel_count; index++) {
        ExtraChannelInfo channel = {0};
        if (libjxl.read_extra_channel(self->libjxl, index, &channel) != STATUS_SUCCESS) return CODEC_CORRUPT;
        if (channel.type == CHANNEL_BLACK) return CODEC_UNSUPPORTED;
    }
    return CODEC_OK;
}

static int read_profile_size(const codec_jxl *self, size_t *count) {
    if (libjxl.version() >= FIRST_VERSION_WITHOUT_FORMAT) {
        return ((int (*)(const JxlDecoder *, int, size_t *))libjxl.profile_size)(self->libjxl, PROFILE_OF_PIXELS, count);
    }
    return ((int (*)(const JxlDecoder *, const PixelFormat *, int, size_t *))libjxl.profile_size)(
        self->libjxl, &self->format, PROFILE_OF_PIXELS, count);
}

static int read_profile(const codec_jxl *self, uint8_t *profile, size_t count) {
    if (libjxl.version() >= FIRST_VERSION_WITHOUT_FORMAT) {
        return ((int (*)(const JxlDecoder *, int, uint8_t *, size_t))libjxl.profile)(
            self->libjxl, PROFILE_OF_PIXELS, profile, count);
    }
    return ((int (*)(const JxlDecoder *, const PixelFormat *, int, uint8_t *, size_t))libjxl.profile)(
        self->libjxl, &self->format, PROFILE_OF_PIXELS, profile, count);
}

// Requests sRGB, unless the file keeps its original profile. If that is not possible, reads the
// profile of the pixels.
static codec_status choose_colors(codec_jxl *self, const BasicInfo *info, codec_jxl_header *header) {
    ColorEncoding srgb = {
        .color_space = info->color_channel_count == 1 ? SPACE_GRAY : SPACE_RGB,
        .white_point = WHITE_D65,
        .primaries = PRIMARIES_SRGB,
        .transfer_function = TRANSFER_SRGB,
        .rendering_intent = INTENT_RELATIVE,
    };
    if (!info->uses_original_profile && libjxl.set_preferred_profile(self->libjxl, &srgb) == STATUS_SUCCESS) {
        return CODEC_OK;
    }
    size_t count = 0;
    if (read_profile_size(self, &count) != STATUS_SUCCESS) return CODEC_OK;
    if (count == 0 || count > self->request.max_profile_byte_count) return CODEC_OK;
    free(self->profile);
    self->profile = malloc(count);
    if (!self->profile) return CODEC_NO_MEMORY;
    if (read_profile(self, self->profile, count) != STATUS_SUCCESS) return CODEC_OK;
    header->profile = self->profile;
    header->profile_byte_count = count;
    return CODEC_OK;
}

static bool keep_delay(codec_jxl *self, codec_jxl_header *header, uint32_t ticks) {
    if (header->played_count == self->delay_capacity) {
        size_t capacity = self->delay_capacity > 0 ? self->delay_capacity * 2 : 16;
        uint32_t *delays = realloc(self->delays, capacity * sizeof *delays);
        if (!delays) return false;
        self->delays = delays;
        self->delay_capacity = capacity;
    }
    self->delays[header->played_count] = ticks;
    header->played_count += 1;
    return true;
}

// Reads the headers of the layers; libjxl skips their pixels. A layer with a duration ends a frame,
// and so does the last layer. An animation may be truncated after its first frame: a frame counts
// once the next one begins.
static codec_status count_frames(codec_jxl *self, codec_jxl_header *header) {
    header->frame_count = 0;
    uint64_t sum = 0;
    bool can_play = true, is_ended = false;
    uint32_t ticks = 0;
    libjxl.set_coalescing(self->libjxl, 0);
    if (!start(self, EVENT_FRAME)) return CODEC_CORRUPT;
    for (;;) {
        int status = libjxl.process(self->libjxl);
        if (status == STATUS_SUCCESS) break;
        bool may_end = self->request.is_beginning || is_ended || header->frame_count > 0;
        if (status == STATUS_NEED_MORE_INPUT && may_end) break;
        FrameHeader frame = {0};
        if (status != EVENT_FRAME || libjxl.read_frame(self->libjxl, &frame) != STATUS_SUCCESS) return failure(self, status);
        if (is_ended) {
            header->frame_count += 1;
            if (can_play && !keep_delay(self, header, ticks)) return CODEC_NO_MEMORY;
            if (header->frame_count >= self->request.max_frame_count) break;
        }
        bool is_first = header->frame_count == 0;
        uint64_t pixel_count = (uint64_t)frame.width * frame.height;
        // Blending a layer costs as much as its canvas.
        uint64_t canvas = (uint64_t)self->request.width * self->request.height;
        sum += pixel_count > canvas ? pixel_count : canvas;
        bool is_too_large = pixel_count > self->request.max_layer_pixel_count;
        if (is_first && (is_too_large || sum > self->request.max_pixel_count)) return CODEC_TOO_LARGE;
        if (is_too_large || sum > self->request.max_played_pixel_count) can_play = false;
        // Between frames, libjxl holds whole layers, which may not be larger than the canvas.
        if (pixel_count > canvas) can_play = false;
        if (header->played_count >= self->request.max_played_count) can_play = false;
        is_ended = frame.duration > 0 || frame.is_last;
        ticks = frame.duration;
        if (!frame.is_last) continue;
        header->frame_count += 1;
        if (can_play && !keep_delay(self, header, ticks)) return CODEC_NO_MEMORY;
        break;
    }
    if (header->frame_count == 0) header->frame_count = 1;
    return CODEC_OK;
}

static void read_delays(codec_jxl *self, const BasicInfo *info, codec_jxl_header *header) {
    // Between frames, libjxl also holds the channels that are not shown.
    bool has_unseen = info->extra_channel_count > (info->alpha_bits > 0 ? 1 : 0);
    if (!info->have_animation || info->ticks_numerator == 0 || has_unseen) header->played_count = 0;
    for (uint32_t index = 0; index < header->played_count; index++) {
        uint64_t seconds = (uint64_t)self->delays[index] * info->ticks_denominator / info->ticks_numerator;
        uint64_t rest = (uint64_t)self->delays[index] * info->ticks_denominator % info->ticks_numerator;
        uint64_t milliseconds = rest * 1000 / info->ticks_numerator;
        self->delays[index] = seconds < UINT32_MAX / 1000 ? (uint32_t)(seconds * 1000 + milliseconds) : UINT32_MAX;
    }
    header->delays = self->delays;
    header->play_count = info->loop_count;
}

static codec_status read_header(codec_jxl *self, codec_jxl_header *header) {
    codec_status result = count_frames(self, header);
    if (result != CODEC_OK) return result;
    libjxl.rewind(self->libjxl);
    libjxl.set_coalescing(self->libjxl, 1);
    libjxl.set_unpremultiply(self->libjxl, 1);
    int events = EVENT_BASIC_INFO | EVENT_COLOR_ENCODING | EVENT_FULL_IMAGE;
    if (self->request.is_beginning) {
        events |= EVENT_FRAME_PROGRESSION;
        libjxl.set_progressive_detail(self->libjxl, DETAIL_PASSES);
    }
    if (!start(self, events)) return CODEC_CORRUPT;
    int status = libjxl.process(self->libjxl);
    BasicInfo info = {0};
    if (status != EVENT_BASIC_INFO || libjxl.read_info(self->libjxl, &info) != STATUS_SUCCESS) return failure(self, status);
    result = check_info(self, &info, header);
    if (result != CODEC_OK) return result;
    read_delays(self, &info, header);
    // The brightness of white on an ordinary display, to which HDR is mapped. Version 0.7 garbles
    // pixels that it does not convert.
    if (!info.uses_original_profile) libjxl.set_intensity_target(self->libjxl, 255);
    status = libjxl.process(self->libjxl);
    if (status != EVENT_COLOR_ENCODING) return failure(self, status);
    self->format = (PixelFormat){.channel_count = header->channels, .data_type = TYPE_UINT8};
    return choose_colors(self, &info, header);
}

codec_jxl *codec_jxl_open(const codec_jxl_request *request, codec_jxl_header *header) {
    *header = (codec_jxl_header){.status = CODEC_UNSUPPORTED};
    if (!codec_jxl_is_installed()) return NULL;
    header->status = CODEC_NO_MEMORY;
    codec_jxl *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->request = *request;
    self->libjxl = libjxl.create(&(MemoryFunctions){self, allocate, release});
    if (self->libjxl) header->status = read_header(self, header);
    if (header->status == CODEC_OK) {
        pause_reading(self);
        return self;
    }
    header->profile = NULL;
    header->delays = NULL;
    codec_jxl_close(self);
    return NULL;
}

// MARK: The pixels

static codec_status decode_frame(codec_jxl *self, uint8_t *pixels, size_t capacity) {
    bool has_pass = false;
    while (true) {
        int status = libjxl.process(self->libjxl);
        switch (status) {
        case STATUS_NEED_IMAGE_OUT_BUFFER: {
            size_t count = 0;
            if (libjxl.buffer_size(self->libjxl, &self->format, &count) != STATUS_SUCCESS || count > capacity ||
                libjxl.set_buffer(self->libjxl, &self->format, pixels, capacity) != STATUS_SUCCESS) {
                return failure(self, status);
            }
            break;
        }
        case EVENT_FRAME_PROGRESSION: has_pass = true; break;
        case EVENT_FULL_IMAGE: return CODEC_OK;
        case STATUS_NEED_MORE_INPUT:
            if (has_pass && libjxl.flush(self->libjxl) == STATUS_SUCCESS) return CODEC_OK;
            return failure(self, status);
        default: return failure(self, status);
        }
    }
}

codec_status codec_jxl_decode(
    codec_jxl *self, const uint8_t *bytes, uint32_t skip_count, uint8_t *pixels, size_t capacity) {
    // Pixels that libjxl does not write must not show earlier contents of the memory.
    memset(pixels, 0, capacity);
    if (skip_count > 0) libjxl.skip_frames(self->libjxl, skip_count);
    size_t count = self->request.byte_count - self->offset;
    if (libjxl.set_input(self->libjxl, bytes + self->offset, count) != STATUS_SUCCESS) return CODEC_CORRUPT;
    codec_status result = decode_frame(self, pixels, capacity);
    pause_reading(self);
    return result;
}

size_t codec_jxl_held_byte_count(const codec_jxl *self) {
    return self->held;
}

void codec_jxl_close(codec_jxl *self) {
    if (!self) return;
    if (self->libjxl) libjxl.destroy(self->libjxl);
    free(self->profile);
    free(self->delays);
    free(self);
}
